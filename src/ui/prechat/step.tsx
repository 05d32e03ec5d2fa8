// Draws one step before a chat: consent, a closed office, the home screen, or the form.

import { SiteText } from '../answer/disclaimer.tsx'
import { HostNode } from '../context/host-node.tsx'
import type {
  PrechatLooks,
  PrechatOptions,
  PrechatSettings,
  PrechatStep,
} from '../context/prechat-settings.ts'
import type { Words } from '../locales/en.ts'
import { opensAt, readHours, sayWhen } from '../words/hours.ts'
import { PrechatForm } from './form.tsx'

type StepProps = {
  step: PrechatStep
  say: Words
  /** BCP 47. */
  locale: string
  options: PrechatOptions
  looks: PrechatLooks
  onNext(message?: string): void
}

export function Step({ step, say, locale, options, looks, onNext }: StepProps) {
  const { closable = true } = looks
  const { settings, home, filled, onClose } = options
  switch (step) {
    case 'consent':
      return (
        <>
          <h3 tabIndex={-1}>{say.consentTitle}</h3>
          <p>{say.consentText}</p>
          <div class="prechat-actions">
            <button type="button" class="primary" onClick={() => onNext()}>
              {say.consentAgree}
            </button>
            {closable && (
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
          <p>{reopening(say.closedText, settings, locale) ?? say.closedForNow}</p>
          {settings.contact ? (
            <SiteText name="contact" locale={locale} given={settings.contact} />
          ) : (
            <p>{say.closedNoMessage}</p>
          )}
        </>
      )
    case 'home':
      return (
        <>
          <h3 tabIndex={-1} dir={settings.greeting ? 'auto' : undefined}>
            {settings.greeting ?? say.homeTitle}
          </h3>
          {home && <HostNode part="home" make={home} />}
          <ul class="starters">
            {settings.starters.map((starter) => (
              <li key={starter}>
                <button type="button" class="chip" dir="auto" onClick={() => onNext(starter)}>
                  <span>{starter}</span>
                </button>
              </li>
            ))}
          </ul>
          <div class="prechat-actions">
            <button type="button" class="primary" onClick={() => onNext()}>
              {say.homeWrite}
            </button>
          </div>
        </>
      )
    case 'form':
      return <PrechatForm fields={settings.form} filled={filled} say={say} onDone={onNext} />
  }
}

/** Undefined where the hours hold by now. */
function reopening(text: string, settings: PrechatSettings, locale: string): string | undefined {
  const opens = opensAt(readHours(settings.hours), settings.timeZone, Date.now())
  return opens === undefined ? undefined : text.replace('{when}', () => sayWhen(opens, locale))
}
