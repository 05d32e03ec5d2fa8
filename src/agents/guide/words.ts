// Holds the guide's own phrases by language. All other text comes from the files.

import type { Language } from '../language.ts'
import { type Phrases, phrasesIn } from '../phrases.ts'

export const GUIDE_NAME = 'Foyer guide'

type Words = Phrases & {
  /** Said at the beginning of a chat, above suggestions. */
  hello: string
  /** Said at the beginning while no file is there to answer from. */
  helloUnready: string
  thanks: string
  bye: string
  yes: string
  no: string
  abilities(handsOff: boolean): string
  nothing: string
  /** Said before the nearest passage, if no passage answers. `language`: of `languages`, if it is not the visitor's; else empty. */
  nearest(language: string): string
  /** Said before a passage that may be the wrong one. */
  inDoubt(language: string): string
  /** `others`: links or names of passages that the visitor may mean; empty if suggestions show them. */
  orMeant(others: string): string
  offerPerson: string
  /** Said before an answer in another language than the question. `language`: of `languages`. */
  onlyIn(language: string): string
  /** “in English”, by language. */
  languages: Readonly<Record<Language, string>>
  /** Said to a visitor who is angry, or says that an answer was wrong. */
  upset: string
  /** Said to a visitor who is unwell. Nothing of the files belongs beside it. */
  distress: string
  /** Said to a visitor who wants a person while nobody is at the desk, before the way to reach one. */
  nobodyHere: string
  noMore: string
  noWords: string
  handoffInCall: string
}

const bracketed = (text: string): string => text && ` (${text})`

const en: Words = {
  ...phrasesIn('en'),
  hello: 'Hello, and welcome! Ask me anything, or start with one of these.',
  helloUnready: 'Hello, and welcome! I have no answers to give yet. Please come back later.',
  thanks: 'You’re welcome. Is there anything else?',
  bye: 'Goodbye! Come back whenever you have a question.',
  yes: 'Good. What would you like to know?',
  no: 'All right. I’m here if you need anything else.',
  abilities: (handsOff) =>
    `I’m an automatic assistant that answers your questions. Ask me in your own words: I show you the answer and where it is from, and I say so when I don’t know.${handsOff ? ' I can also pass you on to a person.' : ''}`,
  nothing: 'I’m sorry, I don’t know. I found nothing about that.',
  nearest: (language) => `I’m sorry, I don’t know. This comes closest${bracketed(language)}:`,
  inDoubt: (language) => `This may be what you’re looking for${bracketed(language)}:`,
  orMeant: (others) => `Or did you mean one of these${others && ': '}${others}?`,
  offerPerson: 'Shall I pass you on to a person?',
  onlyIn: (language) => `Found ${language} only:`,
  languages: {
    en: 'in English',
    de: 'in German',
    fr: 'in French',
    es: 'in Spanish',
    it: 'in Italian',
    pt: 'in Portuguese',
    nl: 'in Dutch',
  },
  upset: 'I’m sorry that I could not help. Please ask in other words, or choose one of these.',
  distress:
    'I’m sorry that you are having such a hard time. I am only an assistant, and a person can help you better. If somebody is in danger, please call the emergency number of your country.',
  nobodyHere: 'Nobody is here at the moment.',
  noMore: 'That is all I have about it.',
  noWords: 'Thank you, it arrived. I only understand words, though: ask me anything, or one of these.',
  handoffInCall:
    'I can’t pass a call on. Write to us in the chat or by text, and somebody from the front desk will answer you.',
}

/** Addresses nobody, so that it suits a site that says Sie and one that says du. */
const de: Words = {
  ...phrasesIn('de'),
  hello: 'Hallo und herzlich willkommen! Welche Frage darf ich beantworten?',
  helloUnready: 'Hallo und herzlich willkommen! Noch kann ich nichts beantworten, aber bald.',
  thanks: 'Gern geschehen. Kann ich sonst noch etwas beantworten?',
  bye: 'Auf Wiedersehen! Bei Fragen bin ich da.',
  yes: 'Gut. Worum geht es?',
  no: 'In Ordnung. Bei weiteren Fragen bin ich da.',
  abilities: (handsOff) =>
    `Ich bin ein automatischer Assistent und beantworte Fragen, gern in eigenen Worten: Ich zeige die Antwort und woher sie ist, und ich sage es, wenn ich etwas nicht weiß.${handsOff ? ' Ich kann auch zu unserem Team vermitteln.' : ''}`,
  nothing: 'Das weiß ich leider nicht. Ich habe nichts dazu gefunden.',
  nearest: (language) => `Das weiß ich leider nicht. Am nächsten kommt dies${bracketed(language)}:`,
  inDoubt: (language) => `Das könnte die Antwort sein${bracketed(language)}:`,
  orMeant: (others) => `Oder geht es um eines davon${others && ': '}${others}?`,
  offerPerson: 'Soll unser Team übernehmen?',
  onlyIn: (language) => `Nur ${language} gefunden:`,
  languages: {
    en: 'auf Englisch',
    de: 'auf Deutsch',
    fr: 'auf Französisch',
    es: 'auf Spanisch',
    it: 'auf Italienisch',
    pt: 'auf Portugiesisch',
    nl: 'auf Niederländisch',
  },
  upset:
    'Es tut mir leid, dass ich nicht helfen konnte. Vielleicht hilft es, anders zu fragen, oder eine dieser Fragen.',
  distress:
    'Das klingt sehr schwer, und es tut mir leid. Ich bin nur ein Assistent; jemand aus unserem Team kann besser helfen. Wenn jemand in Gefahr ist, bitte den Notruf wählen.',
  nobodyHere: 'Im Moment ist niemand da.',
  noMore: 'Mehr steht dazu nicht auf unseren Seiten.',
  noWords: 'Danke, es ist angekommen. Ich verstehe allerdings nur Worte, zum Beispiel diese Fragen.',
  handoffInCall: 'Einen Anruf kann ich nicht weiterleiten. Im Chat und per SMS antwortet unser Team.',
}

const fr: Words = {
  ...phrasesIn('fr'),
  hello: 'Bonjour et bienvenue ! Posez-moi votre question, ou commencez par l’une de celles-ci.',
  helloUnready: 'Bonjour et bienvenue ! Je n’ai pas encore de réponses à donner. Merci de revenir plus tard.',
  thanks: 'Avec plaisir. Avez-vous une autre question ?',
  bye: 'Au revoir ! Revenez quand vous avez une question.',
  yes: 'Très bien. Que souhaitez-vous savoir ?',
  no: 'D’accord. Je suis là si vous avez besoin d’autre chose.',
  abilities: (handsOff) =>
    `Je suis un assistant automatique et je réponds à vos questions. Posez-les avec vos mots : je montre la réponse et d’où elle vient, et je le dis quand je ne sais pas.${handsOff ? ' Je peux aussi vous mettre en relation avec un conseiller.' : ''}`,
  nothing: 'Je suis désolé, je ne sais pas. Je n’ai rien trouvé à ce sujet.',
  nearest: (language) =>
    `Je suis désolé, je ne sais pas. Voici ce qui s’en approche le plus${bracketed(language)} :`,
  inDoubt: (language) => `Voici ce qui pourrait répondre à votre question${bracketed(language)} :`,
  orMeant: (others) => `Ou bien l’un de ces sujets${others && ' : '}${others} ?`,
  offerPerson: 'Voulez-vous parler à un conseiller ?',
  onlyIn: (language) => `Trouvé ${language} seulement :`,
  languages: {
    en: 'en anglais',
    de: 'en allemand',
    fr: 'en français',
    es: 'en espagnol',
    it: 'en italien',
    pt: 'en portugais',
    nl: 'en néerlandais',
  },
  upset: 'Je suis désolé de ne pas avoir pu aider. Posez la question avec d’autres mots, ou choisissez ici.',
  distress:
    'Je suis désolé que ce soit si difficile. Je ne suis qu’un assistant, et une personne pourra mieux vous aider. Si quelqu’un est en danger, appelez les secours.',
  nobodyHere: 'Personne n’est disponible pour le moment.',
  noMore: 'Je n’ai rien de plus à ce sujet.',
  noWords:
    'Merci, c’est bien arrivé. Je ne comprends toutefois que les mots : posez une question, ou choisissez ici.',
  handoffInCall:
    'Je ne peux pas transférer un appel. Écrivez-nous dans le chat ou par SMS, et un conseiller vous répondra.',
}

export const words = en

const WORDS: Readonly<Partial<Record<Language, Words>>> = { en, de, fr }

/** The guide's words in the visitor's language; in English if the guide does not speak that language. */
export const wordsIn = (language: Language = 'en'): Words => WORDS[language] ?? en

export const isSpoken = (language: Language): boolean => language in WORDS
