// Recognises messages other than questions: greetings, thanks, yes and no, insults, distress, whether a machine answers, and the wish for a person.

import type { Turn } from '../../runtime/index.ts'
import { bare, type Language, languageOf } from '../language.ts'

const SAID = {
  hello:
    'hello|hi|hey|good morning|good afternoon|good evening|hallo|guten tag|guten morgen|guten abend|moin|bonjour|salut|bonsoir|hola|start',
  thanks: 'thanks|thank you|thx|danke|merci|great|perfect|cool|got it|that helped|super|parfait',
  bye: 'bye|goodbye|good night|thats all|tschüss|auf wiedersehen|bis bald|au revoir|à bientôt',
  yes: 'yes|yes please|yeah|sure|ok|okay|ja|ja bitte|klar|gerne|oui|oui merci|daccord',
  no: 'no|no thanks|no thank you|nope|nein|nein danke|non|non merci',
  abilities:
    'help|i need help|can you help me|what can you do|who are you|hilfe|ich brauche hilfe|was kannst du|wer bist du|aide|jai besoin daide|que peux tu faire|qui es tu',
  more: 'more|tell me more|mehr|mehr dazu|plus|en savoir plus',
  upset:
    'wtf|i hate this|i hate you|shut up|you dont understand|thats not what i asked|that is wrong|thats wrong|wrong|that didnt help|das stimmt nicht|das ist falsch|falsch|das hilft nicht|halt die klappe|cest faux|ça naide pas|tais toi',
} as const

export type SmallTalk = keyof typeof SAID | 'distress'

const KINDS = new Map(
  Object.entries(SAID).flatMap(([kind, said]) =>
    said.split('|').map((each) => [each, kind as SmallTalk] as const),
  ),
)

/** Whether a machine answers: a person has a right to know. */
const ARE_YOU_A_MACHINE =
  /^(?:(?:so |hey |hi )?are you|am i (?:talking|speaking|chatting) (?:to|with)|is this|bist du|sind sie|ist das|spreche ich mit|es tu|êtes vous|estce que je parle à|cest) (?:really |actually |just |wirklich |vraiment )*(?:an? |eine?[mrn]? |une? |the )?(?:real |actual |live |echter? |echten |richtiger? |vraie? )*(?:person|human|human being|bot|chatbot|robot|machine|computer|ai|program|mensch|menschen|maschine|roboter|ki|humain|personne|ia)(?: or .+| oder .+| ou .+)?$/

/** Somebody who is unwell says so of himself or herself. “Ich kann nicht mehr” ends there: “… einloggen” is a question. */
const DISTRESS = new RegExp(
  [
    '(?:i am|im|i feel|feeling) (?:so |very |really |totally |completely )?(?:stressed|overwhelmed|desperate|depressed|hopeless|suicidal)',
    'i (?:cant|can not|cannot) (?:go on|cope|take (?:it|this) any ?more)|i (?:want|wish) to die|(?:kill|hurt) myself',
    'ich bin (?:so |sehr |total |völlig )?(?:gestresst|verzweifelt|überfordert|depressiv)|ich kann (?:einfach |wirklich )?nicht mehr$',
    'ich will nicht mehr leben|mich umbringen|je n ?en peux plus|me suicider|envie de mourir',
    'je suis (?:si |très |trop )?(?:stressée?|désespérée?|déprimée?|à bout)',
  ]
    .map((said) => `(?<!\\p{L})(?:${said})(?!\\p{L})`)
    .join('|'),
  'u',
)

const LONGEST_INSULT = 60
/** An insult, as a whole message: “you stupid bot”, “this sucks”, “du bist so dumm”. */
const INSULT =
  /^(?:(?:oh|well|hey|you|youre|you are|ur|this|it|that|thing|is|are|the|a|an|such|so|just|really|totally|bot|chat|chatbot|du|sie|bist|sind|das|ist|echt|so|ein|eine|tu|es|vous|êtes|cest|est|un|une|vraiment|trop|what|how|was|für|quel|quelle|absolute|absolutely|completely|völlig|total) )*(?:stupid|idiot|idiotic|dumb|dumbass|moron|useless|crap|shit|bullshit|fuck|fuck you|fuck off|fucking \p{L}+|sucks|suck|rubbish|garbage|terrible|pathetic|asshole|dumm|doof|blöd|blöde[rsn]?|scheiße|scheisse|mist|nutzlos|unbrauchbar|arschloch|depp|nul|nulle|stupide|idiote|con|connard|merde|inutile|bête|imbécile)(?: (?:bot|thing|chat|chatbot|machine|robot|crap|shit|you|ding|maschine|truc|piece of \p{L}+))*$/u

/** Thanks, as a whole message: “ok, thanks a lot for your help”. */
const THANKS =
  /^(?:(?:ok|okay|great|cool|super|perfect|many|vielen|lieben|herzlichen|besten|un|grand) )*(?:thanks?|thx|ty|cheers|danke?|dankeschön|merci)(?: (?:you|a|so|very|much|lot|for|your|the|that|help|again|dir|ihnen|euch|schön|sehr|für|die|hilfe|beaucoup|bien|pour|votre|aide|à|vous))*$/u

/** The kind of small talk that a whole message is; undefined if it is anything else. */
export function smallTalkOf(text: string): SmallTalk | undefined {
  const bareText = bare(text)
  if (bareText === '') return /👋/u.test(text) ? 'hello' : /[👍🙏❤]/u.test(text) ? 'thanks' : 'abilities'
  if (DISTRESS.test(bareText)) return 'distress'
  if (ARE_YOU_A_MACHINE.test(bareText)) return 'abilities'
  if (bareText.length < LONGEST_INSULT && INSULT.test(bareText)) return 'upset'
  return (
    KINDS.get(bareText) ??
    (THANKS.test(bareText) ? 'thanks' : undefined) ??
    KINDS.get(bareText.replace(/ (?:there|again|please)$/, '')) ??
    kindOfSeveral(bareText.split(' '))
  )
}

const MOST_WORDS = 8

/** The kind of a message of several phrases: “no, that’s wrong”, “ok cool”. Thanks matter least, else the last phrase counts. */
function kindOfSeveral(words: readonly string[]): SmallTalk | undefined {
  if (words.length > MOST_WORDS) return undefined
  for (let length = words.length - 1; length > 0; length--) {
    const first = KINDS.get(words.slice(0, length).join(' '))
    const rest = words.slice(length)
    const last = first && (KINDS.get(rest.join(' ')) ?? kindOfSeveral(rest))
    if (last) return last === 'thanks' ? first : last
  }
  return undefined
}

/** The language of a short message; undefined if it is unclear. */
export function languageSaid(text: string): Language | undefined {
  const bareText = bare(text)
  if (/^(?:ok|okay|hi|hey|cool|super|perfect|start)$/u.test(bareText)) return undefined
  if (
    /^(?:hallo|guten|moin|servus|danke|vielen|du bist|das ist|das stimmt|das hilft|ich|mensch|mitarbeiter|tschüss?|auf wiedersehen|ja|nein|hilfe|mehr|wer bist|was kannst)(?!\p{L})/u.test(
      bareText,
    )
  )
    return 'de'
  if (
    /^(?:bonjour|salut|bonsoir|merci|cest|tu es|ça|jai|je|tu ne|au revoir|oui|non|aide|qui es|que peux|que pouvez)(?!\p{L})/u.test(
      bareText,
    )
  )
    return 'fr'
  const [found, other] = [languageOf(bareText, 'en'), languageOf(bareText, 'de')]
  return found === other ? found : undefined
}

/** The language of the visitor: of this message, else of the last message before that tells one. */
export function languageOfVisitor({ text, history }: Pick<Turn, 'text' | 'history'>): Language | undefined {
  const before = history.filter(({ role }) => role === 'visitor').map((each) => each.text)
  for (const said of [text, ...before.reverse()]) {
    const language = languageSaid(said)
    if (language) return language
  }
  return undefined
}

/** The message without the word that joins it to the one before. */
export const withoutAnd = (text: string): string =>
  text.trim().replace(/^(?:and|und|et|but|aber|mais|or|oder|ou)\b\s*/i, '')

const PERSON =
  "person|persons|human|humans|human being|human agent|human operator|real person|real human|live agent|live person|live chat agent|somebody|someone|agent|operator|representative|advisor|adviser|employee|staff|staff member|support agent|your team|menschen|person|mitarbeiter|mitarbeiterin|jemandem|jemanden|berater|beraterin|kollegen|personne|humain|quelqu'un|conseiller|conseillère|persona|alguien|agente|humano|operatore|qualcuno"
const one = `(?:an? |the |some |one of |your |another |actual |real |live |einem |einer |einen |eine |echten |echte |un |une |vrai |vraie |una |uno )*`
const END = `(?![\\p{L}\\p{N}])`
/** A verb of speaking, and a person. */
const SPEAKS = new RegExp(
  `(?<![\\p{L}])(?:talk|speak|chat|connect|talking|speaking|chatting)(?: directly)? (?:to|with) ${one}(?:${PERSON})${END}|(?<![\\p{L}])mit ${one}(?:${PERSON})(?: \\p{L}+)* (?:sprechen|reden|chatten|schreiben)|parler (?:à|avec|a) ${one}(?:${PERSON})${END}|hablar con ${one}(?:${PERSON})${END}|(?:talk|speak) (?:to|with) a real$|parlare con ${one}(?:${PERSON})${END}|التحدث (?:مع|إلى) (?:شخص|إنسان)`,
  'u',
)
/** A person, asked for without a verb of speaking. */
const WANTS = new RegExp(
  `^(?:please |bitte )*(?:i (?:want|need|would like|d like)|id like|i ll take|can i have|can i get|could i have|could i get|may i have|get me|give me|let me have|ich (?:will|möchte|brauche|hätte gern)|je (?:veux|voudrais)|i prefer|is there) ${one}(?:${PERSON})${END}|mit (?:einem|einer) (?:menschen|mitarbeiter|mitarbeiterin)${END}|mit (?:dem|eurem|ihrem) team (?:sprechen|reden|chatten|schreiben)${END}|(?:connect|transfer|hand|pass|put|forward|switch|bring|escalate)(?: \\p{L}+)? (?:me|us|this)(?: over| on| through)?${END}|verbinde\\p{L}* (?:sie )?mich|passez moi`,
  'u',
)
const SHORT = new RegExp(
  `^(?:please |bitte )?${one}(?:real person|real human|human|human agent|live agent|human being|agent|operator|representative|person please|support agent|echten? menschen?|mensch|mitarbeiter|un humain|un conseiller)(?: please| now| bitte| svp)*$`,
  'u',
)
/** Where a message has several sentences, one that names a person asks for a person only with one of these words. */
const POLITE = /(?<!\p{L})(?:please|bitte|svp|now)(?!\p{L})/u
/** A question about handing over, not a request for it. */
const ABOUT =
  /^(?:how|what|when|where|which|why|who|does|do|is|are|wie|was|wann|wo|welche|warum|comment|quand|pourquoi|est ce que)(?![\p{L}])/u
const FIRST_PERSON =
  /(?<![\p{L}])(?:can|could|may|how can|how do|how could|where can|wie kann|kann|puis|est ce que je peux|comment)(?: je)? ?(?:i|we|ich|wir|je)?(?: please| bitte)? ?(?:talk|speak|chat|get to talk|mit|parler)/u

const plain = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’‘ʼ]/g, "'")
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim()
    .slice(0, 300)

/** Whether the visitor wants a person now. A question about handing over counts as an ordinary question. */
export function asksForPerson(text: string): boolean {
  // “A human, please. Where is it?”
  const sentences = text.slice(0, 2_000).split(/(?<=[.!?])\s+/)
  if (sentences.length > 1 && sentences.some((each) => POLITE.test(plain(each)) && SHORT.test(plain(each))))
    return true
  const said = plain(text)
  const wants = SPEAKS.test(said) || WANTS.test(said) || SHORT.test(said)
  if (!wants) return false
  return !ABOUT.test(said) || FIRST_PERSON.test(said) || /^is there /.test(said)
}
