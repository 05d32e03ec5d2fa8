// Questions as newcomers type them: short, sloppy, in three languages. They were written before anybody looked at
// what the guide answers to them.

import type { Asked } from './questions.ts'

const MOBILE = 'frameworks#how-to-use-it-in-a-mobile-app-ios-android-react-native-flutter'
const EVENTS = 'page-api#which-events-the-page-hears'
const CHANNELS = 'about#which-channels-there-are-chat-sms-rcs-and-phone-calls'
const LLM = 'language-models#how-to-use-a-language-model-such-as-gpt-claude-or-llama'
const LLM_SETTINGS = ['language-models#settings-of-the-language-model', 'settings#which-agent-answers']
const HANDOVER = 'runtime#how-to-hand-a-conversation-over-to-a-person'
const PLACED = 'embedding#how-launcher-and-panel-are-placed-above-the-page'
const SEVERAL = 'install#how-to-run-it-on-several-machines-or-in-several-processes'
const DATABASES = 'about#which-databases-it-works-with'
const PROCESSORS = 'about#which-processors-and-javascript-runtimes-it-runs-on'
const ACCESSIBLE = 'privacy#how-accessible-the-chat-is-by-keyboard-and-screen-reader'
const STORED = 'runtime#where-conversations-are-stored'
const COUNTRY = 'privacy#in-which-country-the-data-is-kept'
const SHOPS = 'frameworks#how-to-add-it-to-shopify-wix-squarespace-or-webflow'
const KEYS = 'operating#how-to-make-list-and-revoke-api-keys'
const PORT = 'install#how-to-change-the-port-or-the-address'
const SMS = 'api#how-to-send-a-text-message'
const TEXTS = 'runtime#how-texts-and-calls-reach-phones'
const READY_MADE = 'questions#does-foyer-work-with-zapier-salesforce-hubspot-or-zendesk'
const COOKIES = 'privacy#which-cookies-it-sets'
const LANGUAGE = 'appearance#how-to-change-the-language-of-the-chat'
const COST = 'about#what-foyer-costs'
const TRY = 'about#can-i-try-it-without-installing-anything'
const SIZE = 'appearance#how-to-make-the-chat-window-larger-or-smaller'
const SCRIPT_SIZE = 'questions#how-big-is-the-widget-and-does-it-slow-down-my-page'
const BROWSERS = 'browsers#which-browsers-foyer-works-in'
const TAG = 'embedding#how-to-add-the-chat-to-a-site-with-a-script-tag'
const QUICK = 'questions#can-answers-have-buttons-quick-replies-images-or-emoji'

export const newcomerQuestions: readonly Asked[] = [
  {
    ask: 'hey there, quick question: can i try it without installing anything?',
    is: ['about#can-i-try-it-without-installing-anything'],
    kind: 'words',
  },
  { ask: 'whats the point of the bff', is: ['bff#what-the-bff-does'], kind: 'words' },
  {
    ask: 'how do i get the chat to pop open by itself after 20 seconds',
    is: ['embedding#how-to-open-the-chat-by-itself'],
    kind: 'words',
  },
  { ask: 'does foyer support slack?', is: [CHANNELS], kind: 'plain' },
  {
    ask: 'can visitors upload files or photos',
    is: ['questions#can-visitors-upload-files-or-pictures'],
    kind: 'plain',
  },
  {
    ask: 'is there a php sdk',
    is: ['frameworks#how-to-use-it-in-php-django-rails-or-any-other-server'],
    kind: 'plain',
  },
  { ask: 'whatsapp?', is: [CHANNELS], kind: 'plain' },
  { ask: 'what port does it use', is: [PORT], kind: 'plain' },
  { ask: 'change port', is: [PORT], kind: 'plain' },
  {
    ask: 'how do i turn off the greeting sound',
    is: ['questions#how-do-i-turn-the-sounds-off', 'embedding#how-to-draw-attention-to-the-chat'],
    kind: 'plain',
  },
  {
    ask: 'unread badge',
    is: ['questions#is-there-a-typing-indicator-an-unread-badge-a-read-receipt', EVENTS],
    kind: 'plain',
  },
  { ask: 'my launcher is hidden behind the cookie banner', is: [PLACED], kind: 'words' },
  { ask: 'z-index', is: [PLACED, 'appearance#which-css-variables-there-are'], kind: 'plain' },
  {
    ask: 'can I have two different chats on one page',
    is: ['embedding#how-to-put-two-chats-on-one-page'],
    kind: 'plain',
  },
  {
    ask: 'multiple brands / several sites with one server',
    is: ['embedding#how-to-serve-several-sites-or-brands-with-one-server'],
    kind: 'plain',
  },
  {
    ask: 'typing indicator',
    is: ['questions#is-there-a-typing-indicator-an-unread-badge-a-read-receipt'],
    kind: 'plain',
  },
  { ask: 'how much ram do i need', is: ['about#how-much-memory-and-disk-it-needs'], kind: 'words' },
  {
    ask: 'does it run on windows',
    is: ['about#what-you-need-to-run-it-on-linux-macos-or-windows'],
    kind: 'plain',
  },
  { ask: 'arm raspberry pi ok?', is: [PROCESSORS], kind: 'plain' },
  { ask: 'can i use deno or bun', is: [PROCESSORS], kind: 'plain' },
  { ask: 'mysql possible?', is: [DATABASES], kind: 'plain' },
  { ask: 'where do i put my openai key', is: [LLM, ...LLM_SETTINGS], kind: 'words' },
  { ask: 'does anthropic work', is: [LLM], kind: 'words' },
  {
    ask: 'limit how much a visitor can spend on tokens',
    is: ['language-models#how-to-limit-what-a-visitor-may-spend'],
    kind: 'words',
  },
  {
    ask: 'stop the model from making up links',
    is: ['language-models#how-the-model-is-kept-from-inventing-facts-and-links'],
    kind: 'words',
  },
  {
    ask: 'what happnes when the llm is down',
    is: ['language-models#what-happens-when-the-model-fails-or-is-down'],
    kind: 'typo',
  },
  {
    ask: 'how do i give the model tools',
    is: ['language-models#what-tools-the-model-has'],
    kind: 'plain',
  },
  { ask: 'mcp server', is: ['language-models#how-to-connect-mcp-servers'], kind: 'plain' },
  {
    ask: 'can the bot book appointments',
    is: ['language-models#how-to-make-the-assistant-book-appointments-or-look-up-orders'],
    kind: 'words',
  },
  { ask: 'how does the handoff queue work?', is: [HANDOVER], kind: 'plain' },
  {
    ask: 'how long does a customer wait until the bot takes over again',
    is: [
      HANDOVER,
      'settings#times',
      'questions#what-happens-when-no-live-agent-is-available',
      'runtime#how-a-visitor-gets-back-from-a-person-to-the-agent',
    ],
    kind: 'words',
  },
  {
    ask: 'analytics: how many questions were not answered',
    is: ['questions#how-do-i-see-what-visitors-asked-and-which-questions-were-not-answered'],
    kind: 'words',
  },
  {
    ask: 'export all chats as csv',
    is: ['questions#can-i-export-conversations-to-csv-or-excel'],
    kind: 'plain',
  },
  { ask: 'webhooks?', is: ['monitoring#does-foyer-send-webhooks'], kind: 'plain' },
  {
    ask: 'send a message to the visitor from my backend',
    is: ['questions#can-my-server-write-to-a-visitor-in-the-chat', SMS],
    kind: 'words',
  },
  { ask: 'sms sending example with curl', is: [SMS], kind: 'plain' },
  { ask: 'phone calls', is: ['api#how-to-call-a-phone', TEXTS, CHANNELS], kind: 'plain' },
  { ask: 'opt out STOP', is: ['runtime#how-people-opt-out-of-texts-with-stop'], kind: 'plain' },
  { ask: 'is the data encrypted', is: ['privacy#is-the-data-encrypted'], kind: 'plain' },
  { ask: 'where is the eu data stored', is: [COUNTRY, STORED], kind: 'words' },
  { ask: 'do you set tracking cookies', is: [COOKIES], kind: 'plain' },
  { ask: 'cookie banner needed?', is: ['privacy#is-a-cookie-banner-needed'], kind: 'plain' },
  {
    ask: 'content blocked by csp what to do',
    is: [
      'questions#why-does-my-sites-content-security-policy-block-the-script',
      'security#content-security-policy',
    ],
    kind: 'words',
  },
  {
    ask: 'does it work in safari',
    is: ['browsers#which-browsers-foyer-works-in', 'browsers#what-was-not-checked'],
    kind: 'plain',
  },
  {
    ask: 'keyboard shortcuts',
    is: [ACCESSIBLE, 'accessibility#how-to-use-the-chat-by-keyboard'],
    kind: 'plain',
  },
  { ask: 'rtl arabic', is: ['languages#which-languages-the-chat-speaks'], kind: 'plain' },
  {
    ask: 'how to tranlsate the texts',
    is: ['languages#how-to-add-a-language-or-translate-the-words', 'languages#how-to-change-single-words'],
    kind: 'typo',
  },
  {
    ask: 'make the widget bigger',
    is: ['appearance#how-to-make-the-chat-window-larger-or-smaller'],
    kind: 'words',
  },
  {
    ask: 'change avatar',
    is: ['appearance#how-to-change-the-name-and-picture-of-the-agent'],
    kind: 'words',
  },
  {
    ask: 'use my own icon for the button',
    is: ['appearance#how-to-use-my-own-button-or-icon-for-the-launcher'],
    kind: 'words',
  },
  {
    ask: 'remove "powered by"',
    is: ['appearance#is-there-a-powered-by-line-to-remove'],
    kind: 'plain',
  },
  { ask: 'react native', is: [MOBILE], kind: 'plain' },
  { ask: 'angular integration', is: ['frameworks#how-to-use-it-in-angular'], kind: 'plain' },
  { ask: 'next.js app router', is: ['frameworks#how-to-use-it-in-react-or-nextjs'], kind: 'plain' },
  {
    ask: 'how do i call Foyer.open before the script has loaded',
    is: ['page-api#windowfoyer'],
    kind: 'plain',
  },
  { ask: 'which event fires when a message arrives', is: [EVENTS], kind: 'plain' },
  {
    ask: 'logout a user',
    is: [
      'questions#how-do-i-identify-a-logged-in-user-or-tell-the-agent-their-name',
      'page-api#how-to-open-or-close-the-chat-from-code',
    ],
    kind: 'plain',
  },
  {
    ask: "pass the user's name to the agent",
    is: ['questions#how-do-i-identify-a-logged-in-user-or-tell-the-agent-their-name'],
    kind: 'words',
  },
  {
    ask: 'wie installiere ich das ganze auf meinem server',
    is: ['install#how-to-install-foyer-server-from-npm', 'install#how-to-go-from-the-demo-to-a-real-site'],
    kind: 'de',
  },
  {
    ask: 'Wie kann ich den Chat nur auf bestimmten Seiten anzeigen?',
    is: ['embedding#how-to-show-the-chat-on-some-pages-only'],
    kind: 'de',
  },
  { ask: 'Unterstützt Foyer Microsoft Teams?', is: [CHANNELS], kind: 'de' },
  {
    ask: 'wie groß ist das script',
    is: ['questions#how-big-is-the-widget-and-does-it-slow-down-my-page'],
    kind: 'de',
  },
  {
    ask: 'Kann ich das Aussehen anpassen?',
    is: ['appearance#which-css-variables-there-are', 'appearance#how-to-change-the-colour'],
    kind: 'de',
  },
  { ask: 'comment changer la langue du chat', is: [LANGUAGE], kind: 'fr' },
  { ask: 'peut-on l’utiliser avec Vue ?', is: ['frameworks#how-to-use-it-in-vue-or-nuxt'], kind: 'fr' },
  { ask: 'où sont les journaux ?', is: ['monitoring#where-the-logs-are'], kind: 'fr' },
  {
    ask: 'quelle base de données',
    is: [DATABASES, STORED, 'operating#how-to-use-a-postgresql-server'],
    kind: 'fr',
  },
  {
    ask: 'does foyer have a mobile app for agents',
    is: ['runtime#is-there-an-app-for-live-agents'],
    kind: 'words',
  },
  { ask: 'is there a zapier integration', is: [READY_MADE], kind: 'plain' },
  { ask: 'how to embed in shopify', is: [SHOPS], kind: 'plain' },
  { ask: 'squarespace', is: [SHOPS], kind: 'plain' },
  { ask: 'upgrade', is: ['install#how-to-upgrade-to-a-new-version'], kind: 'plain' },
  { ask: 'rolling restart with several processes', is: [SEVERAL], kind: 'words' },
  { ask: 'how many procesess can share one database', is: [SEVERAL], kind: 'typo' },
  {
    ask: 'kubernetes helm chart',
    is: ['questions#can-i-run-it-on-vercel-cloudflare-or-kubernetes', 'install#how-to-run-it-on-kubernetes'],
    kind: 'plain',
  },
  { ask: 'prometheus metrics endpoint', is: ['monitoring#how-to-get-metrics'], kind: 'plain' },
  {
    ask: 'does that work in the frame too?',
    after: 'how do I change the colour',
    is: ['appearance#which-css-variables-there-are', 'appearance#how-to-change-the-colour'],
    kind: 'follow-up',
  },
  {
    ask: 'how do i update it',
    after: 'Is there a Docker image?',
    is: ['install#how-to-upgrade-to-a-new-version'],
    kind: 'follow-up',
  },
  {
    ask: 'und die Schrift?',
    after: 'Wie ändere ich die Farbe?',
    is: ['appearance#how-to-change-the-font'],
    kind: 'follow-up',
  },
  {
    ask: 'for how long?',
    after: 'where are conversations stored',
    is: ['operating#how-long-conversations-are-kept'],
    kind: 'follow-up',
  },
  { ask: 'how do I revoke it', after: 'how do I create an API key?', is: [KEYS], kind: 'follow-up' },
  {
    ask: 'which settings do i need for that',
    after: 'does it work with ollama',
    is: [...LLM_SETTINGS, 'language-models#how-to-run-a-local-model-with-ollama', LLM],
    kind: 'follow-up',
  },
  { ask: 'yo how do i get started', is: ['getting-started#how-to-get-started'], kind: 'words' },
  { ask: 'is there a free trial', is: [COST, TRY], kind: 'words' },
  { ask: 'can i use it commercially', is: [COST, 'about#which-licence-it-has'], kind: 'words' },
  { ask: 'whos behind foyer', is: ['about#who-makes-foyer', 'about#what-foyer-is'], kind: 'words' },
  {
    ask: 'soc2 certificate?',
    is: ['about#is-foyer-certified-iso-27001-soc-2-or-hipaa'],
    kind: 'plain',
  },
  { ask: 'ie11?', is: [BROWSERS], kind: 'plain' },
  {
    ask: 'does foyer do video calls',
    is: ['questions#are-there-video-calls-voice-messages-or-screen-sharing'],
    kind: 'plain',
  },
  {
    ask: 'is foyer better than intercom',
    is: ['about#how-self-hosted-foyer-compares-to-a-hosted-chat-service-in-the-cloud'],
    kind: 'words',
  },
  { ask: 'do i need a credit card', is: [COST], kind: 'words' },
  { ask: 'what does rcs mean', is: ['about#what-the-words-mean', CHANNELS], kind: 'plain' },
  {
    ask: 'how do i add a second language',
    is: ['languages#how-to-add-a-language-or-translate-the-words'],
    kind: 'plain',
  },
  {
    ask: 'the button doesnt show up on my page',
    is: ['troubleshooting#the-launcher-button-does-not-appear-on-the-page'],
    kind: 'words',
  },
  {
    ask: 'my messages are not delivered',
    is: ['troubleshooting#messages-are-not-sent-or-not-delivered'],
    kind: 'plain',
  },
  {
    ask: 'chat window too small on phone',
    is: ['appearance#how-the-chat-looks-on-a-phone', SIZE],
    kind: 'words',
  },
  { ask: 'does it slow down my website', is: [SCRIPT_SIZE], kind: 'plain' },
  { ask: 'seo impact?', is: ['questions#does-the-chat-affect-seo'], kind: 'words' },
  { ask: 'how secure is it', is: ['security#how-secure-foyer-is'], kind: 'plain' },
  { ask: 'xss', is: ['security#how-secure-foyer-is'], kind: 'words' },
  { ask: 'who can read the conversations', is: ['privacy#who-can-read-the-conversations'], kind: 'plain' },
  { ask: 'can admins see chats', is: ['privacy#who-can-read-the-conversations'], kind: 'words' },
  { ask: 'block a visitor', is: ['questions#can-i-block-a-visitor-or-stop-spam'], kind: 'plain' },
  { ask: 'spam protection', is: ['questions#can-i-block-a-visitor-or-stop-spam'], kind: 'words' },
  { ask: 'rate limt', is: ['questions#is-there-rate-limiting'], kind: 'typo' },
  {
    ask: 'how do i make the bot sound friendlier',
    is: ['language-models#how-to-give-the-model-instructions'],
    kind: 'words',
  },
  { ask: 'use gemini', is: [LLM], kind: 'words' },
  { ask: 'can i train it on my website', is: ['questions#can-i-train-it-on-my-website'], kind: 'plain' },
  { ask: 'pdf files', is: ['answering#how-to-answer-from-my-own-files'], kind: 'plain' },
  {
    ask: 'does it learn from conversations',
    is: ['questions#does-it-learn-from-conversations'],
    kind: 'plain',
  },
  {
    ask: 'how to update the docs without restart',
    is: ['answering#how-to-update-the-documents-without-a-restart'],
    kind: 'plain',
  },
  {
    ask: 'office hours for agents',
    is: ['questions#can-i-set-office-hours-departments-or-teams'],
    kind: 'plain',
  },
  {
    ask: 'transfer to another department',
    is: ['questions#can-i-set-office-hours-departments-or-teams'],
    kind: 'words',
  },
  {
    ask: 'delete a conversation',
    is: ['operating#how-to-erase-a-persons-data', 'privacy#can-visitors-delete-their-chat'],
    kind: 'words',
  },
  { ask: 'backup restore', is: ['operating#how-to-back-up-and-restore-the-data'], kind: 'plain' },
  { ask: 'move to another server', is: ['install#how-to-move-to-another-server'], kind: 'plain' },
  {
    ask: 'memory database for testing',
    is: ['settings#where-data-is-kept-and-for-how-long'],
    kind: 'words',
  },
  {
    ask: 'how do i see the logs in docker',
    is: ['monitoring#where-the-logs-are'],
    kind: 'plain',
  },
  { ask: 'health check endpoint', is: ['monitoring#how-to-check-that-it-runs'], kind: 'plain' },
  { ask: '502 error', is: ['troubleshooting#the-server-answers-502-or-504'], kind: 'plain' },
  {
    ask: 'ws connection failed behind nginx',
    is: ['install#how-to-put-it-behind-a-reverse-proxy-with-websocket'],
    kind: 'words',
  },
  { ask: 'iframe', is: ['embedding#the-difference-between-frame-and-none'], kind: 'words' },
  { ask: 'custom css', is: ['appearance#which-css-variables-there-are'], kind: 'plain' },
  { ask: 'hide the header', is: ['questions#how-do-i-hide-the-header-or-fill-the-screen'], kind: 'plain' },
  { ask: 'wie teuer ist foyer', is: [COST], kind: 'de' },
  { ask: 'kann man foyer mit telegram nutzen', is: [CHANNELS], kind: 'de' },
  {
    ask: 'wie lange werden chats gespeichert',
    is: ['operating#how-long-conversations-are-kept'],
    kind: 'de',
  },
  {
    ask: 'Wie kann ich den Bot abschalten?',
    is: ['questions#how-do-i-switch-off-automatic-answers'],
    kind: 'de',
  },
  { ask: 'comment ajouter un modèle de langage', is: [LLM], kind: 'fr' },
  { ask: 'est-ce gratuit', is: [COST], kind: 'fr' },
  {
    ask: 'comment sauvegarder les données',
    is: ['operating#how-to-back-up-and-restore-the-data'],
    kind: 'fr',
  },
  { ask: 'is there a desktop app', is: ['runtime#is-there-an-app-for-live-agents'], kind: 'plain' },
  {
    ask: 'and compose?',
    after: 'does it work with docker',
    is: ['install#how-to-run-it-with-docker-compose'],
    kind: 'follow-up',
  },
  {
    ask: 'and how do i open it then?',
    after: 'how do I hide the launcher',
    is: [
      'page-api#how-to-open-or-close-the-chat-from-code',
      'appearance#how-to-use-my-own-button-or-icon-for-the-launcher',
      'appearance#how-to-hide-the-launcher-button',
    ],
    kind: 'follow-up',
  },
  {
    ask: 'und welche lizenz?',
    after: 'was kostet foyer',
    is: ['about#which-licence-it-has', COST],
    kind: 'follow-up',
  },
  { ask: 'and rcs?', after: 'how do i send an sms', is: [SMS, CHANNELS], kind: 'follow-up' },
  {
    ask: 'how do i make one',
    after: 'What is a connector?',
    is: ['operating#how-to-make-list-and-revoke-connectors'],
    kind: 'follow-up',
  },
  {
    ask: 'does the widget work on mobile browsers',
    is: [BROWSERS, MOBILE, 'appearance#how-the-chat-looks-on-a-phone'],
    kind: 'plain',
  },
  { ask: 'where can i find the script tag', is: [TAG], kind: 'plain' },
  {
    ask: 'set the chat to french',
    is: [LANGUAGE, 'languages#which-languages-the-chat-speaks'],
    kind: 'plain',
  },
  {
    ask: 'can the agent send images',
    is: [QUICK, 'questions#can-visitors-upload-files-or-pictures'],
    kind: 'plain',
  },
  { ask: 'how to send buttons or quick replies', is: [QUICK], kind: 'plain' },
  { ask: 'emoji support', is: [QUICK], kind: 'plain' },
  { ask: 'uninstall', is: ['install#how-to-uninstall-it'], kind: 'plain' },
  {
    ask: 'port already in use',
    is: [PORT, 'getting-started#if-it-does-not-start', 'troubleshooting#the-server-does-not-start'],
    kind: 'words',
  },
  { ask: 'permission denied on .foyer', is: ['getting-started#if-it-does-not-start'], kind: 'words' },
  {
    ask: 'docker volume',
    is: ['install#how-to-run-it-with-docker', 'install#how-to-run-it-with-docker-compose'],
    kind: 'plain',
  },
  { ask: 'enviroment varibles', is: ['settings#environment-variables'], kind: 'typo' },
  { ask: 'do i need redis', is: [DATABASES], kind: 'plain' },
  { ask: 'what is pglite', is: [DATABASES, STORED], kind: 'plain' },
  {
    ask: 'how to change the retention to 30 days',
    is: ['operating#how-long-conversations-are-kept', 'settings#where-data-is-kept-and-for-how-long'],
    kind: 'words',
  },
  {
    ask: 'api key leaked what now',
    is: ['operating#what-to-do-when-an-api-key-leaked', KEYS],
    kind: 'words',
  },
  { ask: 'curl example list conversations', is: ['api#how-to-list-conversations'], kind: 'plain' },
  { ask: 'openapi spec', is: ['api#what-the-api-for-servers-gives'], kind: 'plain' },
  { ask: 'typescript client', is: ['client#what-the-client-is'], kind: 'words' },
  { ask: 'how fast is it', is: ['questions#how-fast-are-the-answers'], kind: 'plain' },
  { ask: 'use vllm', is: [LLM, 'language-models#how-to-run-a-local-model-with-ollama'], kind: 'plain' },
  {
    ask: 'own embeddings model',
    is: ['answering#how-to-find-answers-by-meaning-with-embeddings'],
    kind: 'plain',
  },
  { ask: 'synonyms', is: ['answering#how-to-teach-it-words-of-your-trade'], kind: 'plain' },
  {
    ask: 'the bot gives wrong answers',
    is: ['troubleshooting#the-answers-are-wrong-or-missing'],
    kind: 'words',
  },
  { ask: 'can visitors rate the chat', is: ['questions#can-visitors-rate-the-chat'], kind: 'plain' },
  {
    ask: 'notify me when a visitor waits',
    is: ['questions#how-are-live-agents-notified-when-a-visitor-waits'],
    kind: 'words',
  },
  { ask: 'wie ändere ich die position', is: ['appearance#how-to-move-the-chat-to-the-left'], kind: 'de' },
  { ask: 'Wie bekomme ich HTTPS?', is: ['install#how-to-get-https'], kind: 'de' },
  { ask: 'Welche Browser werden unterstützt?', is: [BROWSERS], kind: 'de' },
  { ask: 'comment mettre à jour', is: ['install#how-to-upgrade-to-a-new-version'], kind: 'fr' },
  { ask: 'comment cacher le bouton', is: ['appearance#how-to-hide-the-launcher-button'], kind: 'fr' },
  { ask: 'où mettre la clé api', is: [KEYS], kind: 'fr' },
  {
    ask: 'and the position?',
    after: 'how do i change the colour',
    is: ['appearance#how-to-move-the-chat-to-the-left'],
    kind: 'follow-up',
  },
  { ask: 'and delete it?', after: 'how do I create a key', is: [KEYS], kind: 'follow-up' },
  {
    ask: 'what about kubernetes',
    after: 'Is there a Docker image?',
    is: ['questions#can-i-run-it-on-vercel-cloudflare-or-kubernetes', 'install#how-to-run-it-on-kubernetes'],
    kind: 'follow-up',
  },
  {
    ask: 'und die Farbe?',
    after: 'Wie ändere ich die Sprache?',
    is: ['appearance#how-to-change-the-colour'],
    kind: 'follow-up',
  },
  {
    ask: 'show me the code',
    after: 'does it work with react',
    is: ['frameworks#how-to-use-it-in-react-or-nextjs'],
    kind: 'follow-up',
  },
]

/** Nothing in Foyer's docs answers these. */
export const newcomerUnanswered: readonly string[] = [
  'who made you',
  'tell me a joke',
  'whats the weather in berlin',
  'what is the capital of france',
  'how do i cook pasta',
  'can I return my bike?',
  'what time is it',
  'can you book me a flight',
  'how do i install wordpress itself',
  'how to unsubscribe from your newsletter',
  'i hate this',
  'do you ship to canada',
  'who is the president of the usa',
  'how do i get a refund for my train ticket',
  'can it print labels',
  'is there parking near your office',
  'translate good morning into polish',
  'does it support oauth login',
  'blockchain',
  'what’s your favourite color',
  'which models do you recommend',
]
