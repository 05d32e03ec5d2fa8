// Recognises messages other than questions: greetings, thanks, yes and no, and the wish for a person.

import type { Turn } from '../../runtime/index.ts'
import { bare, type Language, languageOf } from '../language.ts'

export type SmallTalk =
  | 'hello'
  | 'thanks'
  | 'bye'
  | 'yes'
  | 'no'
  | 'abilities'
  | 'more'
  | 'howAreYou'
  | 'upset'
  | 'distress'

const SAID: Readonly<Record<Exclude<SmallTalk, 'distress'>, string>> = {
  hello:
    'hello|hi|hey|hiya|howdy|hello there|hi there|hey there|good morning|good afternoon|good evening|greetings|hallo|hi zusammen|guten tag|guten morgen|guten abend|moin|servus|grüß gott|grüezi|bonjour|salut|bonsoir|coucou|hola|ciao|yo|start|are you there|i have a question|i have a quick question|quick question|can i ask you something|can i ask something|ich habe eine frage|ich hätte eine frage|hätte da eine frage|jai une question|une question',
  thanks:
    'thanks|thank you|thank you very much|thanks a lot|many thanks|thx|ty|cheers|great|perfect|nice|cool|awesome|that helped|that helps|got it|ok thanks|okay thanks|ok thank you|danke|danke schön|dankeschön|vielen dank|danke dir|super|alles klar|merci|merci beaucoup|parfait',
  bye: 'bye|bye bye|goodbye|good bye|see you|see ya|cu|have a nice day|good night|thats all|that is all|tschüss|tschüs|tschau|auf wiedersehen|bis bald|bis dann|ade|au revoir|à bientôt|bonne journée|adieu',
  yes: 'yes|yes please|yeah|yep|yup|sure|ok|okay|please do|go ahead|of course|ja|ja bitte|jawohl|klar|gerne|gern|genau|oui|oui svp|oui merci|bien sûr|daccord|volontiers',
  no: 'no|no thanks|no thank you|nope|not really|not now|never mind|nevermind|nein|nein danke|nö|nicht nötig|lieber nicht|non|non merci|pas maintenant',
  abilities:
    'help|help me|what can you do|what do you do|what can i ask|what can i ask you|who are you|what are you|what is this|are you a bot|are you human|are you a robot|are you an ai|what do you know|how can you help me|how can you help|what can you help me with|can you help|can you help me|i need help|i need some help|menu|whats your name|what is your name|do you have a name|how old are you|where are you from|tell me about yourself|introduce yourself|kannst du mir helfen|können sie mir helfen|ich brauche hilfe|wie heißt du|wie alt bist du|jai besoin daide|tu peux maider|pouvez vous maider|comment tu tappelles|quel est ton nom|hilfe|was kannst du|was können sie|wer bist du|was kann ich fragen|was kann ich dich fragen|bist du ein bot|womit kannst du mir helfen|aide|que peux tu faire|que pouvez vous faire|qui es tu|qui êtes vous|questce que tu sais faire|quest ce que tu sais faire|tu peux faire quoi',
  more: 'more|tell me more|more please|go on|continue|and then|more details|details|mehr|mehr dazu|erzähl mir mehr|weiter|mehr details|plus|plus de détails|continue svp|en savoir plus',
  upset:
    'wtf|ugh|argh|this is ridiculous|i hate this|i hate you|i give up|shut up|you dont understand|you dont understand me|you dont get it|thats not what i asked|that is not what i asked|that is wrong|thats wrong|wrong|wrong answer|not helpful|that didnt help|that does not help|this doesnt help|that doesnt help|das stimmt nicht|das ist falsch|falsch|das hilft nicht|das hilft mir nicht|das war nicht meine frage|du verstehst mich nicht|halt die klappe|cest faux|ça naide pas|tu ne comprends rien|vous ne comprenez pas|tais toi',
  howAreYou:
    'how are you|how are you doing|hows it going|how do you do|wie gehts|wie geht es dir|wie geht es ihnen|ça va|comment ça va|comment allez vous',
}

const KINDS = new Map(
  Object.entries(SAID).flatMap(([kind, said]) => said.split('|').map((each) => [each, kind as SmallTalk])),
)

const WHO_ARE_YOU =
  /^(?:(?:so |hey |hi )?are you|am i (?:talking|speaking|chatting) (?:to|with)|bist du|sind sie|spreche ich mit|es tu|êtes vous|estce que je parle à) (?:really |actually |just |wirklich |vraiment )*(?:an? |eine?[mrn]? |une? |the )?(?:real |actual |echter? |echten |richtiger? |vraie? )*(?:person|human|human being|bot|robot|machine|computer|ai|program|mensch|menschen|maschine|roboter|ki|humain|personne|machine)(?: or .+| oder .+| ou .+)?$/

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

/** The kind of small talk that a whole message is; undefined if it is anything else. */
export function smallTalkOf(text: string): SmallTalk | undefined {
  const bareText = bare(text)
  if (bareText === '') return /👋/u.test(text) ? 'hello' : /[👍🙏❤]/u.test(text) ? 'thanks' : 'abilities'
  if (DISTRESS.test(bareText)) return 'distress'
  if (WHO_ARE_YOU.test(bareText)) return 'abilities'
  if (bareText.length < LONGEST_INSULT && INSULT.test(bareText)) return 'upset'
  return (
    KINDS.get(bareText) ??
    // Removes repeated letters (hiii, helloooo), and a name or “there” after a greeting.
    KINDS.get(bareText.replace(/(\p{L})\1{2,}/gu, '$1')) ??
    KINDS.get(bareText.replace(/ (there|foyer|guide|bot|everyone|all|team|so much|again|please)$/, '')) ??
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
    /^(?:hallo|guten|moin|servus|danke|vielen dank|du bist|das ist|das stimmt|das hilft|ich|mensch|mitarbeiter|tschüss?|auf wiedersehen|ja|nein|hilfe|mehr|wer bist|was kannst)(?!\p{L})/u.test(
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
