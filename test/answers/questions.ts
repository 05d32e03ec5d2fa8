// Questions to Foyer's own docs, each with the passages that answer it, and questions that the docs do not answer.

/** `plain` | a typing mistake | other words than the docs | German | French | goes on from the question before. */
export type Kind = 'plain' | 'typo' | 'words' | 'de' | 'fr' | 'follow-up'

/** `is`: `file#anchor` of every passage that answers it; `after`: what was asked before. */
export type Asked = { ask: string; is: readonly string[]; kind: Kind; after?: string }

const START = 'getting-started#how-to-get-started'
const NPM = 'install#how-to-install-foyer-server-from-npm'
const REAL = 'install#how-to-go-from-the-demo-to-a-real-site'
const TAG = 'embedding#how-to-add-the-chat-to-a-site-with-a-script-tag'
const BUNDLER = 'embedding#how-to-embed-the-widget-in-an-app-with-a-bundler'
const REACT = 'frameworks#how-to-use-it-in-react-or-nextjs'
const VUE = 'frameworks#how-to-use-it-in-vue-or-nuxt'
const SVELTE = 'frameworks#how-to-use-it-in-svelte-or-sveltekit'
const WORDPRESS = 'frameworks#how-to-add-it-to-wordpress'
const COLOUR = 'appearance#how-to-change-the-colour'
const DARK = 'appearance#how-to-turn-on-dark-mode'
const LEFT = 'appearance#how-to-move-the-chat-to-the-left'
const OPEN = 'page-api#how-to-open-or-close-the-chat-from-code'
const LLM = 'language-models#how-to-use-a-language-model-such-as-gpt-claude-or-llama'
const COST = 'about#what-foyer-costs'
const ERASE = 'operating#how-to-erase-a-persons-data'
const KEEP = 'operating#how-long-conversations-are-kept'
const OWN = 'answering#how-to-answer-from-my-own-files'
const DOCKER = 'install#how-to-run-it-with-docker'
const PROXY = 'install#how-to-put-it-behind-a-reverse-proxy-with-websocket'
const HANDOVER = 'runtime#how-to-hand-a-conversation-over-to-a-person'
const KEYS = 'operating#how-to-make-list-and-revoke-api-keys'
const UPGRADE = 'install#how-to-upgrade-to-a-new-version'
const BACKUP = 'operating#how-to-back-up-and-restore-the-data'
const LOGS = 'monitoring#where-the-logs-are'
const LOGGED = 'monitoring#what-is-in-the-logs'
const COOKIES = 'privacy#which-cookies-it-sets'
const GDPR = 'privacy#how-foyer-helps-with-the-gdpr'
const STORED = 'runtime#where-conversations-are-stored'
const CSP = 'security#content-security-policy'
const LANGUAGE = 'appearance#how-to-change-the-language-of-the-chat'

export const questions: readonly Asked[] = [
  // What people ask first.
  { ask: 'What is Foyer?', is: ['about#what-foyer-is'], kind: 'plain' },
  { ask: 'what does it cost', is: [COST], kind: 'plain' },
  { ask: 'Is it free?', is: [COST], kind: 'words' },
  { ask: 'what license is foyer under', is: ['about#which-licence-it-has'], kind: 'plain' },
  { ask: 'How do I install it?', is: [NPM, 'install#how-to-install-the-widget-from-npm'], kind: 'plain' },
  { ask: 'how do i start foyer', is: [START, NPM], kind: 'plain' },
  { ask: 'how do I embed the chat on my site?', is: [TAG, BUNDLER, REAL], kind: 'plain' },
  { ask: 'How do I use it in React?', is: [REACT], kind: 'plain' },
  { ask: 'does it work with vue', is: [VUE], kind: 'plain' },
  { ask: 'Svelte example', is: [SVELTE], kind: 'plain' },
  { ask: 'how to add the chat to wordpress', is: [WORDPRESS], kind: 'plain' },
  { ask: 'google tag manager', is: ['frameworks#how-to-add-it-with-google-tag-manager'], kind: 'plain' },
  {
    ask: 'Can I use it in a mobile app?',
    is: ['frameworks#how-to-use-it-in-a-mobile-app-ios-android-react-native-flutter'],
    kind: 'plain',
  },
  { ask: 'how can I change the colour', is: [COLOUR], kind: 'plain' },
  { ask: 'Does it support dark mode?', is: [DARK], kind: 'plain' },
  { ask: 'change its position', is: [LEFT], kind: 'plain' },
  { ask: 'which css variables are there', is: ['appearance#which-css-variables-there-are'], kind: 'plain' },
  {
    ask: 'open the chat from a button',
    is: [
      OPEN,
      'appearance#how-to-hide-the-launcher-button',
      'appearance#how-to-use-my-own-button-or-icon-for-the-launcher',
    ],
    kind: 'plain',
  },
  { ask: 'what events are there?', is: ['page-api#which-events-the-page-hears'], kind: 'plain' },
  {
    ask: 'how do I answer from my own documents',
    is: [OWN, 'answering#how-the-guide-answers'],
    kind: 'plain',
  },
  {
    ask: 'Can I connect my own LLM?',
    is: [
      LLM,
      'language-models#how-to-run-a-local-model-with-ollama',
      'language-models#how-to-write-an-llm-agent-in-30-lines',
    ],
    kind: 'plain',
  },
  {
    ask: 'how do I run it with ollama',
    is: ['language-models#how-to-run-a-local-model-with-ollama'],
    kind: 'plain',
  },
  {
    ask: 'how to write an agent',
    is: ['runtime#how-to-write-an-agent', 'language-models#how-to-write-an-llm-agent-in-30-lines'],
    kind: 'plain',
  },
  { ask: 'how do I hand over to a human agent', is: [HANDOVER], kind: 'plain' },
  {
    ask: 'What is a connector?',
    is: ['about#what-the-words-mean', 'operating#how-to-make-list-and-revoke-connectors'],
    kind: 'plain',
  },
  { ask: 'how long are conversations stored?', is: [KEEP, STORED], kind: 'plain' },
  { ask: 'where are conversations stored', is: [STORED], kind: 'plain' },
  { ask: "how do I delete a user's data", is: [ERASE], kind: 'plain' },
  { ask: 'Is it GDPR compliant?', is: [GDPR], kind: 'plain' },
  { ask: 'which cookies does it set', is: [COOKIES], kind: 'plain' },
  {
    ask: 'what is the difference between frame and none?',
    is: ['embedding#the-difference-between-frame-and-none', 'security#what-scripts-of-the-page-can-reach'],
    kind: 'plain',
  },
  {
    ask: 'How do I use a PostgreSQL server?',
    is: ['operating#how-to-use-a-postgresql-server'],
    kind: 'plain',
  },
  { ask: 'what CSP do I need', is: [CSP], kind: 'plain' },
  { ask: 'how do I create an API key?', is: [KEYS], kind: 'plain' },
  { ask: 'Is there a Docker image?', is: [DOCKER], kind: 'plain' },
  { ask: 'systemd', is: ['install#how-to-run-it-as-a-systemd-service'], kind: 'plain' },
  { ask: 'nginx reverse proxy config', is: [PROXY], kind: 'plain' },
  { ask: 'how do I upgrade to a new version', is: [UPGRADE], kind: 'plain' },
  { ask: 'How do I back up the data?', is: [BACKUP], kind: 'plain' },
  { ask: 'where are the logs', is: [LOGS, LOGGED], kind: 'plain' },
  {
    ask: 'how do I check the health of the server',
    is: ['monitoring#how-to-check-that-it-runs'],
    kind: 'plain',
  },
  {
    ask: 'is it accessible?',
    is: ['privacy#how-accessible-the-chat-is-by-keyboard-and-screen-reader'],
    kind: 'plain',
  },
  {
    ask: 'it does not work',
    is: [
      'troubleshooting#the-launcher-button-does-not-appear-on-the-page',
      'troubleshooting#the-chat-does-not-connect',
      'getting-started#if-it-does-not-start',
      'troubleshooting#the-answers-are-wrong-or-missing',
      'troubleshooting#how-to-report-a-bug',
    ],
    kind: 'plain',
  },
  { ask: 'the chat does not connect', is: ['troubleshooting#the-chat-does-not-connect'], kind: 'plain' },
  {
    ask: 'what does FOYER_DESK_WAIT do',
    is: ['settings#times', HANDOVER, 'questions#what-happens-when-no-live-agent-is-available'],
    kind: 'plain',
  },
  { ask: 'how do I send an SMS', is: ['api#how-to-send-a-text-message'], kind: 'plain' },
  { ask: 'how do I list conversations with the API', is: ['api#how-to-list-conversations'], kind: 'plain' },
  { ask: 'how does semantic search work', is: ['runtime#how-semantic-search-works'], kind: 'plain' },
  { ask: 'how do I run the tests', is: ['getting-started#how-to-run-the-tests'], kind: 'plain' },
  {
    ask: 'What happens when the connection drops?',
    is: ['wire#what-happens-when-the-connection-drops'],
    kind: 'plain',
  },
  { ask: 'which sites may embed the chat', is: ['bff#which-origins-may-embed-the-chat'], kind: 'plain' },
  { ask: 'what does the BFF do?', is: ['bff#what-the-bff-does'], kind: 'plain' },
  {
    ask: 'when does a session expire',
    is: ['runtime#when-an-idle-chat-is-closed-and-its-session-expires', 'settings#times'],
    kind: 'plain',
  },
  {
    ask: 'how large may a message be',
    is: ['runtime#how-large-a-message-may-be-and-other-limits'],
    kind: 'plain',
  },

  {
    ask: 'Does Foyer integrate with Salesforce?',
    is: ['questions#does-foyer-work-with-zapier-salesforce-hubspot-or-zendesk'],
    kind: 'plain',
  },
  {
    ask: 'Is there a plugin for Microsoft Teams?',
    is: ['about#which-channels-there-are-chat-sms-rcs-and-phone-calls'],
    kind: 'plain',
  },

  // With typing mistakes.
  {
    ask: 'how do i instal foyer',
    is: [NPM, START, 'install#how-to-install-the-widget-from-npm'],
    kind: 'typo',
  },
  { ask: 'chnage the color', is: [COLOUR], kind: 'typo' },
  { ask: 'wordpres', is: [WORDPRESS], kind: 'typo' },
  {
    ask: 'acessibility',
    is: ['privacy#how-accessible-the-chat-is-by-keyboard-and-screen-reader'],
    kind: 'typo',
  },
  { ask: 'how to use postgress', is: ['operating#how-to-use-a-postgresql-server'], kind: 'typo' },
  { ask: 'revers proxy websoket', is: [PROXY], kind: 'typo' },
  { ask: 'how do I craete an API kye', is: [KEYS], kind: 'typo' },
  { ask: 'languge of the widget', is: [LANGUAGE, 'languages#which-languages-the-chat-speaks'], kind: 'typo' },

  // In other words than the docs.
  { ask: 'how much do I have to pay', is: [COST], kind: 'words' },
  { ask: 'can the bubble be on the other side of the screen, bottom left?', is: [LEFT], kind: 'words' },
  { ask: 'I want night mode', is: [DARK], kind: 'words' },
  { ask: 'can I plug in ChatGPT', is: [LLM], kind: 'words' },
  { ask: 'move to a newer release', is: [UPGRADE], kind: 'words' },
  { ask: 'remove everything about one customer', is: [ERASE], kind: 'words' },
  { ask: 'make it match our brand', is: [COLOUR, 'appearance#which-css-variables-there-are'], kind: 'words' },
  {
    ask: 'how many seconds until an idle chat is closed',
    is: ['runtime#when-an-idle-chat-is-closed-and-its-session-expires', 'settings#times'],
    kind: 'words',
  },
  {
    ask: 'can customers attach credit card numbers, are they masked?',
    is: ['operating#how-card-numbers-are-masked'],
    kind: 'words',
  },
  { ask: 'get rid of the round button', is: ['appearance#how-to-hide-the-launcher-button'], kind: 'words' },
  { ask: 'save a copy of the database', is: [BACKUP], kind: 'words' },
  {
    ask: 'selfhosted or cloud?',
    is: [
      'about#how-self-hosted-foyer-compares-to-a-hosted-chat-service-in-the-cloud',
      'about#what-self-hosted-means',
    ],
    kind: 'words',
  },
  {
    ask: 'screen reader and keyboard',
    is: ['privacy#how-accessible-the-chat-is-by-keyboard-and-screen-reader'],
    kind: 'words',
  },
  { ask: 'escalate to support staff', is: [HANDOVER], kind: 'words' },

  // In German.
  { ask: 'was kostet das?', is: [COST], kind: 'de' },
  { ask: 'Wie binde ich das Widget ein?', is: [TAG, BUNDLER, REAL], kind: 'de' },
  { ask: 'Wie ändere ich die Farbe?', is: [COLOUR], kind: 'de' },
  { ask: 'Wie lösche ich die Daten eines Kunden?', is: [ERASE], kind: 'de' },
  { ask: 'Wo werden Gespräche gespeichert?', is: [STORED], kind: 'de' },
  { ask: 'Läuft es mit Docker?', is: [DOCKER, 'install#how-to-run-it-with-docker-compose'], kind: 'de' },
  { ask: 'Welche Cookies werden gesetzt?', is: [COOKIES], kind: 'de' },
  {
    ask: 'Ist der Chat barrierefrei?',
    is: ['privacy#how-accessible-the-chat-is-by-keyboard-and-screen-reader'],
    kind: 'de',
  },
  { ask: 'Wie mache ich eine Datensicherung?', is: [BACKUP], kind: 'de' },
  { ask: 'Welche Lizenz hat Foyer?', is: ['about#which-licence-it-has'], kind: 'de' },

  // In French.
  { ask: 'combien ça coûte ?', is: [COST], kind: 'fr' },
  { ask: 'Comment changer la couleur ?', is: [COLOUR], kind: 'fr' },
  { ask: 'Comment installer le serveur ?', is: [NPM, START], kind: 'fr' },
  { ask: 'Comment supprimer les données d’un utilisateur ?', is: [ERASE], kind: 'fr' },
  { ask: 'quels cookies sont utilisés ?', is: [COOKIES], kind: 'fr' },
  { ask: 'Quelle est la licence ?', is: ['about#which-licence-it-has'], kind: 'fr' },

  // Going on from the question before.
  { ask: 'and in React?', after: 'How do I embed the chat?', is: [REACT], kind: 'follow-up' },
  { ask: 'what about Vue?', after: 'How do I use it in React?', is: [VUE], kind: 'follow-up' },
  { ask: 'und in WordPress?', after: 'Wie binde ich das Widget ein?', is: [WORDPRESS], kind: 'follow-up' },
  { ask: 'and how do I revoke one?', after: 'how do I create an API key?', is: [KEYS], kind: 'follow-up' },
  {
    ask: 'and for a whole phone number?',
    after: "how do I delete a user's data",
    is: [ERASE],
    kind: 'follow-up',
  },
  {
    ask: 'can I do it with systemd?',
    after: 'How do I run it with Docker?',
    is: ['install#how-to-run-it-as-a-systemd-service'],
    kind: 'follow-up',
  },
]

/** Nothing in Foyer's docs answers these. */
export const unanswered: readonly string[] = [
  'What is the weather in Oslo tomorrow?',
  'Who won the world cup in 1998?',
  'Can you recommend a good pizza place?',
  'What is the population of Norway?',
  'How tall is the Eiffel tower?',
  'Do you support payments with Bitcoin?',
  'Is there a plugin for Figma?',
  'Can it read my Google Calendar?',
  'Wie hoch ist die Mehrwertsteuer in Österreich?',
  'Quelle est la capitale du Pérou ?',
  'asdfgh qwertz',
  'Write me a poem about the sea',
  'How do I train for a marathon?',
  'Who is the CEO of the company behind it?',
]
