// Questions in a stranger's words, written before any answer was seen: over Foyer's docs, over the handbook of a joiner's workshop
// (German) and over the guide of a campsite (English). The two folders have no words of visitors in comments. Do not add words or
// headings for the sake of these lists: they show what the guide does with questions that nobody foresaw.

import type { NewQuestion } from './new-questions.ts'

export const strangerQuestions: readonly NewQuestion[] = [
  {
    ask: 'will it make my homepage load slower',
    is: ['questions#how-big-is-the-widget-and-does-it-slow-down-my-page'],
  },
  { ask: 'do i have to pay per seat', is: ['about#what-foyer-costs'] },
  {
    ask: 'our shop is on prestashop, any luck?',
    is: [
      'frameworks#how-to-use-it-in-php-django-rails-or-any-other-server',
      'embedding#how-to-add-the-chat-to-a-site-with-a-script-tag',
    ],
  },
  {
    ask: 'the bubble sits on top of my cart button',
    is: [
      'appearance#how-to-move-the-chat-to-the-left',
      'embedding#how-launcher-and-panel-are-placed-above-the-page',
      'appearance#how-visitors-make-the-panel-wider',
    ],
  },
  {
    ask: 'somebody types their visa number into it, what then',
    is: ['operating#how-card-numbers-are-masked'],
  },
  {
    ask: 'nobody is in on sundays, what do people see',
    is: [
      'questions#what-happens-when-no-live-agent-is-available',
      'questions#can-i-set-office-hours-departments-or-teams',
    ],
  },
  {
    ask: 'can the same person carry on on their second tab',
    is: ['questions#does-the-conversation-survive-a-reload-and-is-it-the-same-in-all-tabs'],
  },
  {
    ask: 'i want to try a text without owning a handset',
    is: ['runtime#how-to-test-texts-and-calls-without-a-real-phone'],
  },
  {
    ask: 'where does my postgres password go',
    is: [
      'operating#how-to-use-a-postgresql-server',
      'security#where-the-secrets-are',
      'settings#where-data-is-kept-and-for-how-long',
    ],
  },
  {
    ask: 'is somebody blind able to work with it',
    is: [
      'accessibility#what-a-screen-reader-is-told',
      'privacy#how-accessible-the-chat-is-by-keyboard-and-screen-reader',
    ],
  },
  {
    ask: 'stop the bot from making stuff up',
    is: [
      'language-models#how-the-model-is-kept-from-inventing-facts-and-links',
      'questions#does-the-ai-invent-or-hallucinate-answers',
    ],
  },
  { ask: 'how do i throw it off my server again', is: ['install#how-to-uninstall-it'] },
  {
    ask: 'a colleague wants last months chats in a spreadsheet',
    is: ['questions#can-i-export-conversations-to-csv-or-excel'],
  },
  {
    ask: 'which port does it listen on and can that be another one',
    is: ['install#how-to-change-the-port-or-the-address'],
  },
  {
    ask: 'words trickle in on localhost but live they come as one lump',
    is: ['troubleshooting#the-answer-appears-all-at-once-instead-of-word-by-word'],
  },
  {
    ask: 'does my hosting package with ftp do',
    is: ['install#can-i-run-it-on-shared-hosting-such-as-cpanel'],
  },
  {
    ask: 'spell out BFF',
    is: [
      'bff#what-the-bff-does',
      'about#what-the-words-mean',
      'questions#what-is-the-difference-between-the-runtime-and-the-bff',
      'architecture#glossary',
    ],
  },
  {
    ask: 'kann ich das auch in einer app fürs iphone haben',
    is: ['frameworks#how-to-use-it-in-a-mobile-app-ios-android-react-native-flutter'],
  },
  {
    ask: 'wem gehören die daten und wo stehen die',
    is: [
      'privacy#in-which-country-the-data-is-kept',
      'privacy#who-is-controller-and-processor-and-is-a-data-processing-agreement-needed',
      'runtime#where-conversations-are-stored',
    ],
  },
  {
    ask: 'meine tochter hat aus versehen das fenster geschlossen, ist der verlauf weg',
    is: [
      'questions#does-the-conversation-survive-a-reload-and-is-it-the-same-in-all-tabs',
      'troubleshooting#the-chat-is-gone-after-a-reload',
      'questions#can-a-visitor-have-several-conversations-or-see-earlier-ones',
    ],
  },
  { ask: 'geht das dunkel', is: ['appearance#how-to-turn-on-dark-mode'] },
  {
    ask: 'was schreib ich in die datenschutzerklärung',
    is: ['privacy#what-to-write-into-your-privacy-statement'],
  },
  {
    ask: 'wie sichere ich alles auf eine andere platte',
    is: ['operating#how-to-back-up-and-restore-the-data'],
  },
  { ask: 'darf jeder fremde seite den chat einbauen', is: ['bff#which-origins-may-embed-the-chat'] },
  { ask: 'and at night?', after: 'how do I change the colour', is: ['appearance#how-to-turn-on-dark-mode'] },
  { ask: 'and for angular', after: 'how do I use it in React', is: ['frameworks#how-to-use-it-in-angular'] },
  {
    ask: 'how long does that take',
    after: 'How do I get started?',
    is: ['getting-started#how-long-it-takes-to-try-and-to-install'],
  },
  {
    ask: 'what does it cost',
    after: 'How do I embed the widget on my site?',
    is: ['about#what-foyer-costs'],
  },
  {
    ask: 'can I use it with WordPress',
    after: 'How card numbers are masked',
    is: ['frameworks#how-to-add-it-to-wordpress'],
  },
  {
    ask: 'und wieder zurück?',
    after: 'How do I upgrade to a new version?',
    is: ['install#how-to-go-back-to-an-older-version'],
  },
]

export const strangerUnanswered: readonly string[] = [
  'who won the football on saturday',
  'do you sell gift cards',
  'is there a discount for students',
  'can it read my gmail',
  'what is the capital of australia',
  'wie wird morgen das wetter',
  'habt ihr eine filiale in köln',
  'write me a poem about autumn',
]

export const workshopQuestions: readonly NewQuestion[] = [
  { ask: 'ich hab fieber, was jetzt', is: ['krankheit#krankmeldung'] },
  { ask: 'wann krieg ich mein geld', is: ['geld#auszahlung-des-lohns'] },
  { ask: 'meine freundin und ich heiraten im mai', is: ['urlaub#sonderurlaub'] },
  { ask: 'hab mir in den finger gesägt', is: ['krankheit#unfall-in-der-werkstatt'] },
  { ask: 'wo stell ich mein auto ab', is: ['haus#parken'] },
  { ask: 'ich komm nicht mehr in meinen rechner rein', is: ['rechner#kennwort-vergessen'] },
  { ask: 'was passiert mit tagen die ich nicht nehme', is: ['urlaub#resturlaub'] },
  { ask: 'zahlt ihr mir den gabelstapler kurs', is: ['anfang#ausbildung-und-lehrgänge'] },
  { ask: 'mein kleiner hat grippe und muss zuhause bleiben', is: ['krankheit#kind-krank'] },
  { ask: 'darf ich abgeschnittenes holz heimnehmen', is: ['haus#reste-mitnehmen'] },
  { ask: 'krieg ich neue stiefel', is: ['haus#arbeitskleidung-und-sicherheitsschuhe'] },
  { ask: 'wo darf ich eine qualmen', is: ['haus#rauchen'] },
  { ask: 'transponder weg', is: ['haus#schlüssel-und-transponder-verloren'] },
  { ask: 'gibts im dezember was extra', is: ['geld#weihnachtsgeld'] },
  { ask: 'wie viel bekomme ich fürs fahren mit dem privatwagen', is: ['geld#reisekosten'] },
  { ask: 'komische mail bekommen mit zip drin', is: ['rechner#verdächtige-nachrichten'] },
  { ask: 'wann ist feierabend am freitag', is: ['haus#arbeitszeiten'] },
  { ask: 'ich will raus hier, wie lange muss ich noch', is: ['anfang#kündigung'] },
  { ask: 'ein kunde braucht internet', is: ['rechner#wlan-für-gäste'] },
  { ask: 'ein halbes jahr auszeit', is: ['urlaub#unbezahlte-freistellung'] },
  { ask: 'how many days off do I have', is: ['urlaub#wie-viele-urlaubstage-gibt-es'] },
  { ask: 'do I get paid for overtime', is: ['geld#überstunden'] },
  { ask: 'es ist so laut an der hobelmaschine', is: ['haus#gehörschutz-und-staubmasken'] },
  { ask: 'verfallen die irgendwann?', after: 'Wie viele Urlaubstage gibt es?', is: ['urlaub#resturlaub'] },
  {
    ask: 'und wann brauch ich was vom doktor',
    after: 'Wie melde ich mich krank?',
    is: ['krankheit#ärztliches-attest'],
  },
  {
    ask: 'und wie lange hab ich dann frist?',
    after: 'Wie lange dauert die Probezeit?',
    is: ['anfang#probezeit', 'anfang#kündigung'],
  },
]

export const workshopUnanswered: readonly string[] = [
  'wo ist die kantine',
  'wer ist im betriebsrat',
  'kann ich aktien vom betrieb kaufen',
  'darf ich meinen hund mitbringen',
  'gibt es einen betriebsarzt für die impfung',
  'how do I bake sourdough bread',
  'wie wird das wetter morgen',
  'was kostet ein esstisch aus eiche',
]

export const campsiteQuestions: readonly NewQuestion[] = [
  { ask: 'we only get there at midnight', is: ['arrival#late-arrival'] },
  { ask: 'can i bring my labrador', is: ['rules#dogs'] },
  { ask: 'when do we have to be gone', is: ['arrival#check-in-and-check-out'] },
  { ask: 'something came up and we cant come any more', is: ['arrival#cancellation'] },
  { ask: 'do i need to bring my own bedding', is: ['pitches#cabins'] },
  { ask: 'where can i charge my phone', is: ['pitches#electricity'] },
  { ask: 'wifi code', is: ['facilities#internet'] },
  { ask: 'my son forgot his jacket at yours', is: ['rules#lost-property'] },
  { ask: 'is it ok to grill sausages', is: ['rules#fires-and-barbecues'] },
  { ask: 'where do i empty the chemical toilet', is: ['pitches#motorhomes-fresh-water-and-waste'] },
  { ask: 'how loud can we be in the evening', is: ['rules#quiet-hours'] },
  { ask: 'we need clean clothes after a week', is: ['facilities#laundry'] },
  { ask: 'can my kids swim by themselves', is: ['facilities#swimming'] },
  { ask: 'grandma cant walk, is that a problem', is: ['facilities#access-for-wheelchairs'] },
  { ask: 'fresh croissants in the morning?', is: ['facilities#shop-and-bread'] },
  { ask: 'our trailer is 9 m long', is: ['pitches#pitch-sizes'] },
  { ask: 'hire a kayak', is: ['facilities#boats-and-bicycles'] },
  { ask: 'my wife has chest pain', is: ['rules#illness-and-emergencies'] },
  { ask: 'a friend wants to drop by on saturday', is: ['pitches#extra-people-and-visitors'] },
  { ask: 'how much up front', is: ['arrival#deposits'] },
  { ask: 'i come on foot with a tiny tent, must i reserve', is: ['pitches#tents-without-a-car'] },
  { ask: 'wo kann ich meinen müll loswerden', is: ['rules#rubbish'] },
  { ask: 'sind hunde erlaubt', is: ['rules#dogs'] },
  { ask: 'can we catch trout', is: ['rules#fishing'] },
  { ask: 'does that cost extra', after: 'Are there hot showers?', is: ['facilities#washrooms'] },
  {
    ask: 'and if i come a week later instead',
    after: 'How do I cancel?',
    is: ['arrival#changing-the-dates'],
  },
  { ask: 'is there an oven in there', after: 'What are the cabins like?', is: ['pitches#cabins'] },
]

export const campsiteUnanswered: readonly string[] = [
  'is there a train station nearby',
  'do you have a tennis court',
  'who owns the place',
  'can i park my helicopter',
  'which films are on at the cinema',
  'kann ich mit bitcoin zahlen',
  'how do i install python',
  'is there a sauna',
]
