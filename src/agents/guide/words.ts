// Holds the guide's own phrases by language. All other text comes from the files.

import type { Language } from '../language.ts'

export const GUIDE_NAME = 'Foyer guide'

type Words = {
  hello(files: number): string
  helloAgain: string
  howAreYou: string
  thanks: string
  bye: string
  yes: string
  no: string
  abilities(files: number, handsOff: boolean): string
  nothing(files: number): string
  /** Said before the nearest passage, if no passage answers. */
  nearest: string
  /** Said before a passage that may be the wrong one. */
  inDoubt: string
  /** `others`: links or names of passages that the visitor may mean; empty if suggestions show them. */
  orMeant(others: string): string
  offerPerson: string
  source(from: string): string
  sources(from: string): string
  /** Said to a visitor who is angry, or says that an answer was wrong. */
  upset: string
  noMore: string
  noWords: string
  person: string
  handoff: string
  handoffInCall: string
}

const count = (files: number, one: string, many: string): string =>
  files === 1 ? `1 ${one}` : `${files} ${many}`

const en: Words = {
  hello: (files) =>
    files === 0
      ? 'Hello! I answer questions from a folder of Markdown files, but the folder is empty.'
      : `Hello! I answer questions from **${count(files, 'file', 'files')}**. What would you like to know?`,
  helloAgain: 'Hello! What would you like to know?',
  howAreYou: 'All is well here, thank you. What would you like to know?',
  thanks: 'You’re welcome. Is there anything else?',
  bye: 'Goodbye! Come back whenever you have a question.',
  yes: 'Good. What would you like to know?',
  no: 'All right. I’m here if you need anything else.',
  abilities: (files, handsOff) =>
    `I’m an assistant that answers from **${count(files, 'file', 'files')}**. Ask me in your own words: I show the passage that answers and where it is from, and I say so when I don’t know.${handsOff ? ' I can also pass you on to a person.' : ''}`,
  nothing: (files) =>
    files === 0
      ? 'I don’t know: the folder I answer from has no Markdown files.'
      : `I don’t know. I found nothing about that in my ${files === 1 ? 'file' : `${files} files`}.`,
  nearest: 'I don’t know. The nearest I have is this:',
  inDoubt: 'I am not sure that this answers you:',
  orMeant: (others) => `Or did you mean one of these${others && ': '}${others}?`,
  offerPerson: 'Shall I pass you on to a person?',
  source: (from) => `*From ${from}.*`,
  sources: (from) => `*From ${from}.*`,
  upset: 'I’m sorry that I could not help. Please ask in other words, or choose one of these.',
  noMore: 'That is all I have about it.',
  noWords: 'Thank you, it arrived. I only understand words, though: ask me anything, or one of these.',
  person: 'Talk to a real person',
  handoff: 'I’ll pass you on: somebody from the front desk will be with you as soon as they can.',
  handoffInCall:
    'I can’t pass a call on. Write to us in the chat or by text, and somebody from the front desk will answer you.',
}

const de: Words = {
  hello: (files) =>
    files === 0
      ? 'Hallo! Ich antworte aus einem Ordner mit Markdown-Dateien, aber der Ordner ist leer.'
      : `Hallo! Ich beantworte Fragen aus **${count(files, 'Datei', 'Dateien')}**. Was möchtest du wissen?`,
  helloAgain: 'Hallo! Was möchtest du wissen?',
  howAreYou: 'Danke, alles bestens. Was möchtest du wissen?',
  thanks: 'Gern geschehen. Kann ich sonst noch etwas beantworten?',
  bye: 'Auf Wiedersehen! Bei Fragen bin ich da.',
  yes: 'Gut. Was möchtest du wissen?',
  no: 'In Ordnung. Ich bin da, wenn du noch etwas brauchst.',
  abilities: (files, handsOff) =>
    `Ich bin ein Assistent und antworte aus **${count(files, 'Datei', 'Dateien')}**. Frag in deinen eigenen Worten: Ich zeige die passende Stelle und woher sie ist, und ich sage es, wenn ich etwas nicht weiß.${handsOff ? ' Ich kann dich auch an einen Menschen weitergeben.' : ''}`,
  nothing: (files) =>
    files === 0
      ? 'Das weiß ich nicht: In dem Ordner, aus dem ich antworte, sind keine Markdown-Dateien.'
      : `Das weiß ich nicht. In ${files === 1 ? 'meiner Datei' : `meinen ${files} Dateien`} habe ich nichts dazu gefunden.`,
  nearest: 'Das weiß ich nicht. Am nächsten kommt dies:',
  inDoubt: 'Ich bin nicht sicher, ob das deine Frage beantwortet:',
  orMeant: (others) => `Oder meinst du eines davon${others && ': '}${others}?`,
  offerPerson: 'Soll ich dich an einen Menschen weitergeben?',
  source: (from) => `*Aus ${from}.*`,
  sources: (from) => `*Aus ${from}.*`,
  upset:
    'Es tut mir leid, dass ich nicht helfen konnte. Bitte frag mit anderen Worten, oder wähle etwas davon.',
  noMore: 'Mehr habe ich dazu nicht.',
  noWords: 'Danke, es ist angekommen. Ich verstehe allerdings nur Worte: Frag mich etwas, oder wähle hier.',
  person: 'Mit einem Menschen sprechen',
  handoff: 'Ich gebe dich weiter: Jemand vom Empfang meldet sich, sobald es geht.',
  handoffInCall:
    'Einen Anruf kann ich nicht weitergeben. Schreib uns im Chat oder per SMS, dann antwortet dir jemand vom Empfang.',
}

const fr: Words = {
  hello: (files) =>
    files === 0
      ? 'Bonjour ! Je réponds à partir d’un dossier de fichiers Markdown, mais ce dossier est vide.'
      : `Bonjour ! Je réponds aux questions à partir de **${count(files, 'fichier', 'fichiers')}**. Que souhaitez-vous savoir ?`,
  helloAgain: 'Bonjour ! Que souhaitez-vous savoir ?',
  howAreYou: 'Tout va bien, merci. Que souhaitez-vous savoir ?',
  thanks: 'Avec plaisir. Avez-vous une autre question ?',
  bye: 'Au revoir ! Revenez quand vous avez une question.',
  yes: 'Très bien. Que souhaitez-vous savoir ?',
  no: 'D’accord. Je suis là si vous avez besoin d’autre chose.',
  abilities: (files, handsOff) =>
    `Je suis un assistant et je réponds à partir de **${count(files, 'fichier', 'fichiers')}**. Posez votre question avec vos mots : je montre le passage qui répond et d’où il vient, et je le dis quand je ne sais pas.${handsOff ? ' Je peux aussi vous passer une personne.' : ''}`,
  nothing: (files) =>
    files === 0
      ? 'Je ne sais pas : le dossier à partir duquel je réponds ne contient aucun fichier Markdown.'
      : `Je ne sais pas. Je n’ai rien trouvé à ce sujet dans ${files === 1 ? 'mon fichier' : `mes ${files} fichiers`}.`,
  nearest: 'Je ne sais pas. Voici ce qui s’en approche le plus :',
  inDoubt: 'Je ne suis pas sûr que ceci réponde à votre question :',
  orMeant: (others) => `Ou bien l’un de ces sujets${others && ' : '}${others} ?`,
  offerPerson: 'Voulez-vous parler à une personne ?',
  source: (from) => `*Source : ${from}.*`,
  sources: (from) => `*Sources : ${from}.*`,
  upset: 'Je suis désolé de ne pas avoir pu aider. Posez la question avec d’autres mots, ou choisissez ici.',
  noMore: 'Je n’ai rien de plus à ce sujet.',
  noWords:
    'Merci, c’est bien arrivé. Je ne comprends toutefois que les mots : posez une question, ou choisissez ici.',
  person: 'Parler à une personne',
  handoff: 'Je vous passe quelqu’un : une personne de l’accueil vous répondra dès que possible.',
  handoffInCall:
    'Je ne peux pas transférer un appel. Écrivez-nous dans le chat ou par SMS, et une personne de l’accueil vous répondra.',
}

export const words = en

/** The guide's words in the visitor's language; in English if the guide does not speak that language. */
export const wordsIn = (language: Language | undefined): Words => ({ en, de, fr })[language as 'en'] ?? en

/** The reason that is stored with a handoff, for readers of the log. */
export const HANDOFF_REASON = 'The visitor asked for a person'
