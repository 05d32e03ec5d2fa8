// Draws the steps before a chat: the consent gate, the sign of a closed office, the home screen, the form. Until they are passed,
// the service is not contacted.

import { effect, signal } from '@preact/signals'
import { render } from 'preact'
import type { PrechatHandle, PrechatLooks, PrechatOptions } from '../context/prechat-settings.ts'
import { paint } from '../theme/paint.ts'
import { adoptStyles } from '../theme/theme.ts'
import { createLanguage } from '../words/languages.ts'
import { filledIn } from './form.tsx'
import css from './prechat.css?inline'
import { Step } from './step.tsx'
import { StepPanel } from './step-panel.tsx'

export function openPrechat(options: PrechatOptions): PrechatHandle {
  const { root, container, settings, onNext, onClose } = options
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
  function update(given: PrechatLooks): void {
    const before = looks.peek()
    looks.value = given
    const { theme = 'light', phone, accent, locale: asked = 'en' } = given
    element.className = ['foyer', theme === 'dark' && 'dark', phone && 'phone'].filter(Boolean).join(' ')
    if (accent !== before.accent || (accent && theme !== before.theme)) paint(element, accent, theme)
    if (asked !== (before.locale ?? 'en')) language.speak(asked)
  }

  const View = () => (
    <StepPanel step={step.value} looks={looks.value} say={words.value} settings={settings} onClose={onClose}>
      <Step
        step={step.value}
        say={words.value}
        locale={locale.value}
        options={options}
        looks={looks.value}
        onNext={next}
      />
    </StepPanel>
  )

  language.replace(settings.words)
  language.address(settings.register)
  update(options.looks)
  const stopWords = effect(() => {
    element.lang = locale.value
    element.dir = words.value.direction
  })
  render(<View />, element)
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
