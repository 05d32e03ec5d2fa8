// The words of the panel in Spanish of the United States, over Spanish: `usted` instead of `tú`.

import type { Words } from './en.ts'

export const words: Partial<Words> = {
  placeholder: 'Escriba un mensaje…',
  statusLive: 'Está hablando con una persona',
  statusQueue: (place, wait) =>
    wait ? `Número ${place} en la fila, unos ${wait}` : `Número ${place} en la fila`,
  disclosure: 'Está hablando con un asistente de IA.',
  smallPrint: 'La IA puede equivocarse. Verifique los datos importantes.',
  you: 'Usted',
  outboxFull: 'Hay demasiados mensajes en espera. Envíe este cuando vuelva a tener conexión.',
  offline: 'No tiene conexión. Sus mensajes se enviarán cuando la recupere.',
  dividerLost: 'No se pudo recuperar su último chat. Aquí empieza uno nuevo.',
  endedIdle: 'Este chat terminó por inactividad. Escriba un mensaje para continuar.',
  handoffFailed: 'No hay nadie disponible en este momento. Puede continuar aquí.',
  liveJoined: (name) => `${name} se unió`,
  liveLeft: (name) => `${name} abandonó el chat`,
  waitingForPerson: 'Está esperando a una persona.',
  queueLeft: 'Salió de la fila. Puede continuar aquí.',
  queueMessage: 'Guardado. La persona que lo atienda lo leerá.',
  leaveQueue: 'Salir de la fila',
  rateChat: '¿Cómo estuvo este chat?',
  rateComment: '¿Quiere agregar algo? (opcional)',
  rateThanks: 'Gracias por su calificación.',
  rateSend: 'Enviar calificación',
  busy: 'El chat está ocupado. Lo conectaremos lo antes posible.',
}
