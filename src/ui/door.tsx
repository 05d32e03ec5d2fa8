// Draws the steps before a chat: the consent gate, the sign of a closed office, the home screen, the form. Until they are passed,
// the service is not contacted. Loaded only if a site uses one of them.

import { signal } from '@preact/signals'
import { render } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import css from './door.css?inline'
import type { DoorHandle, DoorLooks, DoorOptions, DoorStep } from './door-settings.ts'
import { type DoorWords, directionOf, doorWords } from './door-words.ts'
import { DoorForm, filledIn } from './form.tsx'
import { opensAt, readHours, sayWhen } from './hours.ts'
import { AssistantIcon, CloseIcon } from './icons.tsx'
import { isLocale } from './locale.ts'
import { checkWords, en, loadWords, type Words } from './locales/index.ts'
import { attempt } from './persist.ts'
import { Placed } from './placed.tsx'
import rest from './rest.css?inline'
import { adoptStyles } from './theme.ts'

export function openDoor(options: DoorOptions): DoorHandle {
  const { root, container, settings, steps, filled, now, home, onConsent, onDone, onBack, onClose } = options
  adoptStyles(root)
  adoptStyles(root, rest)
  adoptStyles(root, css)
  const element = document.createElement('div')
  container.append(element)
  const looks = signal<DoorLooks>({})
  const panelWords = signal<Words>(en)
  const at = signal(0)
  const first: string[] = []
  const ending = new AbortController()
  const { signal: gone } = ending
  /** A button in it was pressed. */
  let used = false

  function next(...messages: string[]): void {
    first.push(...messages)
    used = true
    if (steps[at.peek()] === 'consent') onConsent()
    if (gone.aborted) return
    if (at.peek() + 1 < steps.length) at.value++
    else onDone(first)
  }
  function goBack(): void {
    used = true
    onBack?.()
  }
  function update(given: DoorLooks): void {
    const before = looks.peek()
    const { locale: asked = 'en' } = given
    const locale = isLocale(asked) ? asked : 'en'
    looks.value = { ...given, locale }
    const { theme = 'light', phone, accent } = given
    element.className = ['foyer', theme === 'dark' && 'dark', phone && 'phone'].filter(Boolean).join(' ')
    element.lang = locale
    element.dir = directionOf(locale)
    if (accent !== before.accent || (accent && theme !== before.theme))
      void attempt(() => import('./paint.ts')).then(
        ({ paint }) => !gone.aborted && paint(element, accent, theme),
        () => {},
      )
    if (locale !== before.locale)
      void loadWords(locale, gone).then((words) => {
        if (!gone.aborted && locale === (looks.peek().locale ?? 'en'))
          panelWords.value = { ...words, ...checkWords(settings.words) }
      })
  }

  function Door() {
    const { locale = 'en', closable = true, modal, showHeader = true } = looks.value
    const say = doorWords(locale, settings.words)
    const panel = panelWords.value
    const section = useRef<HTMLElement>(null)
    const step = steps[at.value]
    const shown = useRef(step)
    useLayoutEffect(() => {
      if (shown.current === step) return
      shown.current = step
      // The button that was pressed is gone.
      section.current?.querySelector<HTMLElement>('input, select, textarea, h3')?.focus()
    }, [step])
    return (
      <section
        ref={section}
        class="content"
        role="dialog"
        aria-label={panel.chat}
        aria-modal={modal || undefined}
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || !closable) return
          event.preventDefault()
          onClose()
        }}
      >
        {showHeader && (
          <header class="header" part="header">
            <span class="avatar" aria-hidden="true">
              <AssistantIcon />
            </span>
            <div class="who">
              <h2 class="name">
                <bdi>{settings.agentName ?? panel.assistant}</bdi>
              </h2>
            </div>
            {closable && (
              <button type="button" class="round" aria-label={panel.closeChat} onClick={onClose}>
                <CloseIcon />
              </button>
            )}
          </header>
        )}
        <div class="door">
          <div class="door-step" key={step}>
            {step && drawStep(step, say, panel, locale)}
          </div>
          {onBack && (
            <button type="button" class="quiet door-back" onClick={goBack}>
              {panel.back}
            </button>
          )}
          <Links say={say} />
        </div>
      </section>
    )
  }

  function drawStep(step: DoorStep, say: DoorWords, panel: Words, locale: string) {
    switch (step) {
      case 'consent':
        return (
          <>
            <h3 tabIndex={-1}>{say.consentTitle}</h3>
            <p>{say.consentText}</p>
            <p class="door-note">{panel.disclosure}</p>
            <div class="door-actions">
              <button type="button" class="primary" onClick={() => next()}>
                {say.consentAgree}
              </button>
              {looks.value.closable !== false && (
                <button type="button" class="quiet" onClick={onClose}>
                  {say.consentDecline}
                </button>
              )}
            </div>
          </>
        )
      case 'closed':
        return (
          <>
            <h3 tabIndex={-1}>{say.closedTitle}</h3>
            <p>{reopening(say.closedText, locale) ?? say.closedForNow}</p>
          </>
        )
      case 'home':
        return (
          <>
            <h3 tabIndex={-1} dir={settings.greeting ? 'auto' : undefined}>
              {settings.greeting ?? say.homeTitle}
            </h3>
            {home && <Placed part="home" make={home} />}
            <ul class="starters">
              {settings.starters.map((starter) => (
                <li key={starter}>
                  <button type="button" class="card" dir="auto" onClick={() => next(starter)}>
                    <span>{starter}</span>
                  </button>
                </li>
              ))}
            </ul>
            <p class="door-note">{panel.disclosure}</p>
            <div class="door-actions">
              <button type="button" class="primary" onClick={() => next()}>
                {say.homeWrite}
              </button>
            </div>
          </>
        )
      case 'form':
        return (
          <DoorForm
            fields={settings.form}
            filled={filled}
            say={say}
            onDone={(text) => next(...(text ? [text] : []))}
          />
        )
    }
  }
  /** Undefined where the hours hold by now. */
  function reopening(text: string, locale: string): string | undefined {
    const opens = opensAt(readHours(settings.hours), settings.timeZone, now)
    return opens === undefined ? undefined : text.replace('{when}', () => sayWhen(opens, locale))
  }
  function Links({ say }: { say: DoorWords }) {
    if (settings.links.length === 0) return null
    return (
      <p class="door-links">
        {settings.links.map(({ name, url }) => (
          <a key={name} href={url} target="_blank" rel="noopener noreferrer">
            {say[name]}
          </a>
        ))}
      </p>
    )
  }

  update(options.looks)
  render(<Door />, element)
  return {
    update,
    focus: () => element.querySelector<HTMLElement>('.primary, [role="dialog"]')?.focus(),
    hasFocus() {
      const { activeElement } = element.getRootNode() as Document | ShadowRoot
      const { activeElement: outer, body } = document
      // Some browsers focus no button that is pressed.
      return element.contains(activeElement) || (used && (!outer || outer === body))
    },
    filled: () => (steps[at.peek()] === 'form' ? filledIn(element, settings.form) : undefined),
    dispose() {
      ending.abort()
      render(null, element)
      element.remove()
    },
  }
}
