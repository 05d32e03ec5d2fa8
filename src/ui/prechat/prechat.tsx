// Draws the steps before a chat: the consent gate, the sign of a closed office, the home screen, the form. Until they are passed,
// the service is not contacted.

import { effect, signal } from '@preact/signals'
import { render } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Policies } from '../answer/link.tsx'
import { Placed } from '../context/placed.tsx'
import type { PrechatHandle, PrechatLooks, PrechatOptions, PrechatStep } from '../context/prechat-settings.ts'
import type { Words } from '../locales/en.ts'
import { AssistantIcon, DownIcon } from '../theme/icons.tsx'
import { paint } from '../theme/paint.ts'
import { adoptStyles } from '../theme/theme.ts'
import { opensAt, readHours, sayWhen } from '../words/hours.ts'
import { createLanguage } from '../words/languages.ts'
import { filledIn, PrechatForm } from './form.tsx'
import css from './prechat.css?inline'

export function openPrechat(options: PrechatOptions): PrechatHandle {
  const { root, container, settings, filled, home, onNext, onBack, onClose } = options
  adoptStyles(root)
  adoptStyles(root, css)
  const element = document.createElement('div')
  container.append(element)
  const looks = signal<PrechatLooks>({})
  const step = signal(options.step)
  const ending = new AbortController()
  const { signal: gone } = ending
  const language = createLanguage(gone)
  const { words, locale } = language
  /** A button in it was pressed. */
  let used = false

  function next(message?: string): void {
    used = true
    onNext(message)
  }
  function goBack(): void {
    used = true
    onBack?.()
  }
  function update(given: PrechatLooks): void {
    const before = looks.peek()
    looks.value = given
    const { theme = 'light', phone, accent, locale: asked = 'en' } = given
    element.className = ['foyer', theme === 'dark' && 'dark', phone && 'phone'].filter(Boolean).join(' ')
    if (accent !== before.accent || (accent && theme !== before.theme)) paint(element, accent, theme)
    if (asked !== (before.locale ?? 'en')) language.speak(asked)
  }

  function Prechat() {
    const { closable = true, modal, showHeader = true } = looks.value
    const say = words.value
    const section = useRef<HTMLElement>(null)
    const { value: name } = step
    const shown = useRef(name)
    useLayoutEffect(() => {
      if (shown.current === name) return
      shown.current = name
      // The button that was pressed is gone.
      section.current?.querySelector<HTMLElement>('input, select, textarea, h3')?.focus()
    }, [name])
    return (
      <section
        ref={section}
        class="content"
        role="dialog"
        aria-label={say.chat}
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
                <bdi>{settings.agentName ?? say.assistant}</bdi>
              </h2>
            </div>
            {closable && (
              <button type="button" class="round" aria-label={say.closeChat} onClick={onClose}>
                <DownIcon />
              </button>
            )}
          </header>
        )}
        <div class="prechat">
          <div class="prechat-step" key={name}>
            {drawStep(name, say)}
          </div>
          {onBack && (
            <button type="button" class="quiet prechat-back" onClick={goBack}>
              {say.back}
            </button>
          )}
          {settings.links.length > 0 && (
            <p class="prechat-links">
              <Policies say={say} of={settings} />
            </p>
          )}
        </div>
      </section>
    )
  }

  function drawStep(step: PrechatStep, say: Words) {
    switch (step) {
      case 'consent':
        return (
          <>
            <h3 tabIndex={-1}>{say.consentTitle}</h3>
            <p>{say.consentText}</p>
            <p class="prechat-note">{say.disclosure}</p>
            <div class="prechat-actions">
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
            <p>{reopening(say.closedText) ?? say.closedForNow}</p>
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
            <p class="prechat-note">{say.disclosure}</p>
            <div class="prechat-actions">
              <button type="button" class="primary" onClick={() => next()}>
                {say.homeWrite}
              </button>
            </div>
          </>
        )
      case 'form':
        return <PrechatForm fields={settings.form} filled={filled} say={say} onDone={next} />
    }
  }
  /** Undefined where the hours hold by now. */
  function reopening(text: string): string | undefined {
    const opens = opensAt(readHours(settings.hours), settings.timeZone, Date.now())
    return opens === undefined ? undefined : text.replace('{when}', () => sayWhen(opens, locale.value))
  }

  language.replace(settings.words)
  update(options.looks)
  const stopWords = effect(() => {
    element.lang = locale.value
    element.dir = words.value.direction
  })
  render(<Prechat />, element)
  return {
    worded: language.loaded,
    update,
    show(name) {
      step.value = name
    },
    focus: () => element.querySelector<HTMLElement>('.primary, [role="dialog"]')?.focus(),
    hasFocus() {
      const { activeElement } = element.getRootNode() as Document | ShadowRoot
      const { activeElement: outer, body } = document
      // Some browsers focus no button that is pressed.
      return element.contains(activeElement) || (used && (!outer || outer === body))
    },
    filled: () => (step.peek() === 'form' ? filledIn(element, settings.form) : undefined),
    dispose() {
      ending.abort()
      stopWords()
      render(null, element)
      element.remove()
    },
  }
}
