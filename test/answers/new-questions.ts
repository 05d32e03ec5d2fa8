// Questions by somebody who had read the docs, but not the other questions. They show how well the guide answers what it was
// not made for, so do not add words or headings for their sake: write new ones instead.

import type { Asked } from './questions.ts'

export type NewQuestion = Omit<Asked, 'kind'>

/** Written before `isSure` was made; its two numbers were chosen by these and the other lists. */
export const newQuestions: readonly NewQuestion[] = [
  { ask: 'my boss wants our green on the bubble', is: ['appearance#how-to-change-the-colour'] },
  {
    ask: 'where do i put the script',
    is: [
      'embedding#how-to-add-the-chat-to-a-site-with-a-script-tag',
      'install#how-to-go-from-the-demo-to-a-real-site',
    ],
  },
  { ask: 'it covers our cookie notice', is: ['embedding#how-launcher-and-panel-are-placed-above-the-page'] },
  { ask: 'wordpres plugin?', is: ['frameworks#how-to-add-it-to-wordpress'] },
  { ask: 'can i run it on a raspberry', is: ['about#which-processors-and-javascript-runtimes-it-runs-on'] },
  { ask: 'someone wants all their messages gone', is: ['operating#how-to-erase-a-persons-data'] },
  { ask: 'nginx config pls', is: ['install#how-to-put-it-behind-a-reverse-proxy-with-websocket'] },
  { ask: 'keeps reconnecting over and over', is: ['troubleshooting#the-chat-does-not-connect'] },
  {
    ask: 'port 4700 already in use',
    is: [
      'troubleshooting#the-server-does-not-start',
      'install#how-to-change-the-port-or-the-address',
      'getting-started#if-it-does-not-start',
    ],
  },
  { ask: 'dose it cost anything for companys', is: ['about#what-foyer-costs'] },
  {
    ask: 'can a human jump in',
    is: ['runtime#how-to-hand-a-conversation-over-to-a-person', 'runtime#what-live-agents-can-do'],
  },
  {
    ask: 'how do my staff see waiting people',
    is: ['questions#how-are-live-agents-notified-when-a-visitor-waits', 'runtime#what-live-agents-can-do'],
  },
  { ask: 'whats the max length of a message', is: ['runtime#how-large-a-message-may-be-and-other-limits'] },
  {
    ask: 'token leaked on github what now',
    is: [
      'operating#what-to-do-when-an-api-key-leaked',
      'questions#how-do-i-rotate-the-cookie-secret-or-the-connector-token',
    ],
  },
  { ask: 'kann man das auf deutsch stellen', is: ['appearance#how-to-change-the-language-of-the-chat'] },
  { ask: 'wie lange werden gespräche aufbewahrt', is: ['operating#how-long-conversations-are-kept'] },
  {
    ask: 'brauche ich eine datenbank',
    is: [
      'about#what-you-need-to-run-it-on-linux-macos-or-windows',
      'about#which-databases-it-works-with',
      'runtime#where-conversations-are-stored',
    ],
  },
  { ask: 'wo liegen die logs', is: ['monitoring#where-the-logs-are'] },
  { ask: 'wie mache ich ein backup', is: ['operating#how-to-back-up-and-restore-the-data'] },
  { ask: 'comment changer la couleur', is: ['appearance#how-to-change-the-colour'] },
  {
    ask: 'est-ce que ça marche sur iphone',
    is: [
      'frameworks#how-to-use-it-in-a-mobile-app-ios-android-react-native-flutter',
      'browsers#which-browsers-foyer-works-in',
      'appearance#how-the-chat-looks-on-a-phone',
    ],
  },
  { ask: 'faut-il un bandeau cookies', is: ['privacy#is-a-cookie-banner-needed'] },
  {
    ask: 'how can i use chatgpt with it',
    is: ['language-models#how-to-use-a-language-model-such-as-gpt-claude-or-llama'],
  },
  {
    ask: 'does it make stuff up',
    is: [
      'questions#does-the-ai-invent-or-hallucinate-answers',
      'language-models#how-the-model-is-kept-from-inventing-facts-and-links',
    ],
  },
  { ask: 'can it read my pdfs', is: ['answering#how-to-answer-from-my-own-files'] },
  {
    ask: 'i changed a file do i need to restart',
    is: ['answering#how-to-update-the-documents-without-a-restart'],
  },
  { ask: 'people write velo but docs say bike', is: ['answering#how-to-teach-it-words-of-your-trade'] },
  { ask: 'how do i get a number to send sms from', is: ['operating#how-to-add-sender-numbers'] },
  {
    ask: 'stop getting sms, how do customers unsubscribe',
    is: ['runtime#how-people-opt-out-of-texts-with-stop'],
  },
  {
    ask: 'ask people for name and email before they chat',
    is: ['embedding#how-to-show-something-before-the-chat'],
  },
  {
    ask: 'only show chat on weekdays 9 to 5',
    is: [
      'embedding#how-to-show-something-before-the-chat',
      'questions#can-i-set-office-hours-departments-or-teams',
    ],
  },
  { ask: 'hide it on checkout page', is: ['embedding#how-to-show-the-chat-on-some-pages-only'] },
  {
    ask: 'make it pop up after 10 seconds',
    is: ['embedding#how-to-open-the-chat-by-itself', 'embedding#how-to-draw-attention-to-the-chat'],
  },
  { ask: 'disable file download button', is: ['embedding#how-to-switch-features-off'] },
  {
    ask: 'two brands one server possible?',
    is: ['embedding#how-to-serve-several-sites-or-brands-with-one-server'],
  },
  { ask: 'who sees what i write', is: ['privacy#who-can-read-the-conversations'] },
  { ask: 'are credit cards safe if someone types one in', is: ['operating#how-card-numbers-are-masked'] },
  {
    ask: 'is postgres required',
    is: [
      'about#which-databases-it-works-with',
      'about#what-you-need-to-run-it-on-linux-macos-or-windows',
      'operating#how-to-use-a-postgresql-server',
      'runtime#where-conversations-are-stored',
    ],
  },
  {
    ask: 'how to open it with my own link',
    is: [
      'page-api#how-to-open-or-close-the-chat-from-code',
      'appearance#how-to-use-my-own-button-or-icon-for-the-launcher',
      'appearance#how-to-hide-the-launcher-button',
    ],
  },
  { ask: 'does whatsapp work', is: ['about#which-channels-there-are-chat-sms-rcs-and-phone-calls'] },
  { ask: '502 bad gateway', is: ['troubleshooting#the-server-answers-502-or-504'] },
  {
    ask: 'user comes back next day, still sees old chat?',
    is: [
      'runtime#when-an-idle-chat-is-closed-and-its-session-expires',
      'wire#what-moves-into-a-new-session',
      'privacy#which-cookies-it-sets',
      'questions#does-the-conversation-survive-a-reload-and-is-it-the-same-in-all-tabs',
    ],
  },
  { ask: 'how much ram', is: ['about#how-much-memory-and-disk-it-needs'] },
  {
    ask: 'limit how much a user can burn on openai',
    is: ['language-models#how-to-limit-what-a-visitor-may-spend'],
  },
  {
    ask: 'model endpoint down what does user see',
    is: ['language-models#what-happens-when-the-model-fails-or-is-down'],
  },
  {
    ask: 'blind users ok?',
    is: [
      'privacy#how-accessible-the-chat-is-by-keyboard-and-screen-reader',
      'accessibility#what-a-screen-reader-is-told',
    ],
  },
  {
    ask: 'csp errors in console',
    is: [
      'questions#why-does-my-sites-content-security-policy-block-the-script',
      'security#content-security-policy',
      'troubleshooting#the-launcher-button-does-not-appear-on-the-page',
    ],
  },
  {
    after: 'how do i run it with docker',
    ask: 'and compose?',
    is: ['install#how-to-run-it-with-docker-compose'],
  },
  { after: 'how do i change the colour', ask: 'and the font?', is: ['appearance#how-to-change-the-font'] },
  { after: 'which cookies does it set', ask: 'how long do they live', is: ['privacy#which-cookies-it-sets'] },
  {
    after: 'how do i make an api key',
    ask: 'and how do i get rid of it',
    is: ['operating#how-to-make-list-and-revoke-api-keys'],
  },
  { after: 'can i use it in react', ask: 'what about angular', is: ['frameworks#how-to-use-it-in-angular'] },
]

export const newUnanswered: readonly string[] = [
  'who won the world cup',
  'do you sell bikes',
  'does it work with matrix or irc',
  'is there a php sdk for the admin panel',
  'kann ich eine rechnung bekommen',
  'how do i sign in with saml',
  'blockchain support?',
  'can i import chats from intercom',
]

/** Written after that, and used for no choice: how often the guide errs on these is how often it errs. */
export const laterQuestions: readonly NewQuestion[] = [
  { ask: 'do i need to pay per agent', is: ['about#what-foyer-costs'] },
  { ask: 'mysql instead?', is: ['about#which-databases-it-works-with'] },
  {
    ask: 'chat window too small on desktop',
    is: ['appearance#how-to-make-the-chat-window-larger-or-smaller'],
  },
  { ask: 'put it bottom left pls', is: ['appearance#how-to-move-the-chat-to-the-left'] },
  { ask: 'our site is dark, chat is bright white', is: ['appearance#how-to-turn-on-dark-mode'] },
  {
    ask: 'use our own logo as the round button',
    is: ['appearance#how-to-use-my-own-button-or-icon-for-the-launcher'],
  },
  { ask: 'get rid of your branding', is: ['appearance#is-there-a-powered-by-line-to-remove'] },
  { ask: 'bot photo', is: ['appearance#how-to-change-the-name-and-picture-of-the-agent'] },
  { ask: 'works in next.js?', is: ['frameworks#how-to-use-it-in-react-or-nextjs'] },
  { ask: 'shopify store', is: ['frameworks#how-to-add-it-to-shopify-wix-squarespace-or-webflow'] },
  { ask: 'tag manager', is: ['frameworks#how-to-add-it-with-google-tag-manager'] },
  { ask: 'how to install certbot / tls', is: ['install#how-to-get-https'] },
  { ask: 'upgade to latest version safely', is: ['install#how-to-upgrade-to-a-new-version'] },
  {
    ask: 'we get a new server next week, how to take everything along',
    is: ['install#how-to-move-to-another-server'],
  },
  { ask: 'remove it completely', is: ['install#how-to-uninstall-it'] },
  { ask: 'start it on boot of the machine', is: ['install#how-to-run-it-as-a-systemd-service'] },
  {
    ask: 'can i scale to 3 servers',
    is: ['install#how-to-run-it-on-several-machines-or-in-several-processes'],
  },
  { ask: 'healthcheck url', is: ['monitoring#how-to-check-that-it-runs'] },
  { ask: 'grafana / prometheus', is: ['monitoring#how-to-get-metrics'] },
  { ask: 'call my endpoint when a chat comes in', is: ['monitoring#does-foyer-send-webhooks'] },
  {
    ask: 'nothing shows up on my page',
    is: ['troubleshooting#the-launcher-button-does-not-appear-on-the-page'],
  },
  { ask: 'answers are rubbish', is: ['troubleshooting#the-answers-are-wrong-or-missing'] },
  {
    ask: 'found a bug where to tell',
    is: ['troubleshooting#how-to-report-a-bug', 'questions#is-there-support-or-an-sla'],
  },
  { ask: 'can visitors send photos', is: ['questions#can-visitors-upload-files-or-pictures'] },
  { ask: 'does it slow my site', is: ['questions#how-big-is-the-widget-and-does-it-slow-down-my-page'] },
  { ask: 'export chats to excel', is: ['questions#can-i-export-conversations-to-csv-or-excel'] },
  {
    ask: 'annoying ping sound off',
    is: [
      'questions#how-do-i-turn-the-sounds-off',
      'embedding#how-to-switch-features-off',
      'embedding#how-to-draw-attention-to-the-chat',
    ],
  },
  {
    ask: 'someone is spamming us',
    is: [
      'questions#can-i-block-a-visitor-or-stop-spam',
      'security#limits-against-floods',
      'questions#is-there-rate-limiting',
    ],
  },
  { ask: 'salesforce', is: ['questions#does-foyer-work-with-zapier-salesforce-hubspot-or-zendesk'] },
  {
    ask: 'first message of the bot, how to change',
    is: ['questions#how-do-i-change-the-welcome-message-or-the-greeting'],
  },
  { ask: 'läuft das auch ohne internet', is: ['questions#does-it-work-offline'] },
  { ask: 'welche browser gehen', is: ['browsers#which-browsers-foyer-works-in'] },
  { ask: 'ist das dsgvo konform', is: ['privacy#how-foyer-helps-with-the-gdpr'] },
  {
    ask: 'passwort der datenbank wo eintragen',
    is: ['operating#how-to-use-a-postgresql-server', 'settings#where-data-is-kept-and-for-how-long'],
  },
  {
    ask: 'où sont stockées les données',
    is: [
      'privacy#in-which-country-the-data-is-kept',
      'runtime#where-conversations-are-stored',
      'settings#where-data-is-kept-and-for-how-long',
      'privacy#which-personal-data-foyer-stores',
    ],
  },
  { ask: 'comment effacer un client', is: ['operating#how-to-erase-a-persons-data'] },
  { ask: 'ollama local setup', is: ['language-models#how-to-run-a-local-model-with-ollama'] },
  { ask: 'tell the ai to be polite', is: ['language-models#how-to-give-the-model-instructions'] },
  {
    ask: 'mcp',
    is: ['language-models#how-to-connect-mcp-servers', 'language-models#what-tools-the-model-has'],
  },
  {
    ask: 'can the bot check order status in our shop system',
    is: ['language-models#how-to-make-the-assistant-book-appointments-or-look-up-orders'],
  },
  { ask: 'what does close code 1008 mean', is: ['wire#what-the-close-codes-mean'] },
  { ask: 'how do i list all conversations by api', is: ['api#how-to-list-conversations'] },
  { ask: 'ring a customer automatically', is: ['api#how-to-call-a-phone'] },
  {
    after: 'how do i write my own agent',
    ask: 'can it hand over to a person?',
    is: ['runtime#how-to-hand-a-conversation-over-to-a-person'],
  },
  {
    after: 'how do i use it in vue',
    ask: 'and svelte',
    is: ['frameworks#how-to-use-it-in-svelte-or-sveltekit'],
  },
  {
    after: 'how long are chats kept',
    ask: 'how do i change that',
    is: ['operating#how-long-conversations-are-kept', 'settings#where-data-is-kept-and-for-how-long'],
  },
]

export const laterUnanswered: readonly string[] = [
  'how old are you',
  'can you fix my bike',
  'does it do voice cloning',
  'was kostet ein flug nach rom',
  'ldap login',
  'is there a desktop app for windows to read sales stats',
  'tell me a joke',
  'quel temps fait-il',
  'can i pay with paypal',
  'do you have a partner program',
  'can it translate visitor messages live into japanese',
  'how to bake bread',
]
