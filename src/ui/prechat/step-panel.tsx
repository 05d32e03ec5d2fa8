// Draws the panel around a step: header, a way back, and the site's links.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Policies } from '../answer/link.tsx'
import type { PrechatLooks, PrechatSettings, PrechatStep } from '../context/prechat-settings.ts'
import type { Words } from '../locales/en.ts'
import { AssistantIcon, DownIcon } from '../theme/icons.tsx'
import { disclosureOf } from '../words/disclosure.ts'

type StepPanelProps = {
  step: PrechatStep
  looks: PrechatLooks
  say: Words
  settings: PrechatSettings
  onClose(): void
  children: ComponentChildren
}

export function StepPanel({ step, looks, say, settings, onClose, children }: StepPanelProps) {
  const { automatic = false, closable = true, modal, showHeader = true } = looks
  const section = useRef<HTMLElement>(null)
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
        <div class="prechat-step" key={step}>
          <span class="avatar large" aria-hidden="true">
            <AssistantIcon />
          </span>
          {children}
        </div>
        <div class="intro">
          {(step === 'consent' || step === 'home') && <p>{disclosureOf(say, automatic)}</p>}
          {settings.links.length > 0 && (
            <p class="intro-links">
              <Policies say={say} of={settings} />
            </p>
          )}
        </div>
      </div>
    </section>
  )
}
