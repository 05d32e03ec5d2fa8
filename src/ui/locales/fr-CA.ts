// The words of the panel in Canadian French, over French.

import type { Words } from './en.ts'

export const words: Partial<Words> = {
  chat: 'Clavardage',
  closeChat: 'Fermer le clavardage',
  newChat: 'Démarrer un nouveau clavardage',
  endChat: 'Terminer le clavardage',
  endChatSure: 'Terminer ce clavardage maintenant?',
  statusEnded: 'Clavardage terminé',
  idleWarning: (time) => `Ce clavardage se terminera dans ${time}.`,
  unavailable: 'Le clavardage est injoignable pour le moment.',
  refused: 'Le clavardage n’est pas disponible sur cette page.',
  dividerExpired: 'Le dernier clavardage a pris fin pour cause d’inactivité',
  dividerEnded: 'Un nouveau clavardage commence ici',
  dividerRestarted: 'Un nouveau clavardage commence ici',
  dividerLost: 'Votre dernier clavardage n’a pas pu être rétabli. Un nouveau commence ici.',
  endedByAgent: 'Ce clavardage est terminé.',
  endedIdle: 'Ce clavardage a pris fin pour cause d’inactivité. Écrivez un message pour continuer.',
  handoffClient: 'La conversation se poursuit en dehors de ce clavardage',
  liveJoined: (name) => `${name} a rejoint le clavardage`,
  liveLeft: (name) => `${name} a quitté le clavardage`,
  deleted: 'Ce clavardage a été supprimé.',
  deleteChat: 'Supprimer ce clavardage',
  searchChat: 'Rechercher dans ce clavardage',
  rateChat: 'Comment s’est passé ce clavardage?',
  expand: 'Élargir le clavardage',
  shrink: 'Rétrécir le clavardage',
  busy: 'Le clavardage est très demandé. La connexion s’établira dès que possible.',
}
