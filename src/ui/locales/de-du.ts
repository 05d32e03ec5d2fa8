// The words of the panel in German for sites that say du: what differs from German.

import type { Words } from './en.ts'

export const words: Partial<Words> = {
  statusLive: 'Du sprichst mit unserem Team',
  disclosure: 'Du sprichst mit einem KI-Assistenten.',
  smallPrint: 'KI kann Fehler machen. Bitte prüfe wichtige Angaben.',
  you: 'Du',
  outboxFull: 'Zu viele Nachrichten warten. Sende diese, sobald du wieder online bist.',
  offline: 'Du bist offline. Deine Nachrichten werden gesendet, sobald du wieder verbunden bist.',
  dividerLost: 'Dein letzter Chat ließ sich nicht wiederherstellen. Hier beginnt ein neuer.',
  endedIdle: 'Dieser Chat wurde wegen Inaktivität beendet. Schreib einfach, um fortzufahren.',
  handoffFailed: 'Gerade kann niemand übernehmen. Du kannst hier weiterschreiben.',
  waitingForPerson: 'Du wartest auf eine Mitarbeiterin oder einen Mitarbeiter.',
  queueLeft: 'Du hast die Warteschlange verlassen. Du kannst hier weiterschreiben.',
  rateComment: 'Möchtest du etwas ergänzen? (optional)',
  rateThanks: 'Danke für deine Bewertung.',
  busy: 'Der Chat ist ausgelastet. Du wirst so bald wie möglich verbunden.',
  consentText:
    'Der Chat speichert, was du schreibst, und setzt ein notwendiges Cookie. Du kannst deine Einwilligung jederzeit widerrufen.',
  badEmail: 'Gib eine E-Mail-Adresse wie ana@example.com ein.',
  badPhone: 'Gib eine Telefonnummer wie +1 500 555 0006 ein.',
  closedForNow: 'Bitte versuche es später noch einmal.',
  awayText: 'Unser Team ist wieder da: {when}. Bis dahin erhältst du automatische Antworten.',
  connected: 'Du bist verbunden.',
}
