// Questions drawn at random from the same author's list as the first of visitor-questions.ts, and asked for the first time when
// docs and guide were done. Do not mend anything by them. One author wrote questions and docs, so strangers fare worse.

import type { NewQuestion } from './new-questions.ts'

export const sealedQuestions: readonly NewQuestion[] = [
  { ask: 'acessibility staement', is: ['privacy#what-to-write-into-your-accessibility-statement'] },
  {
    after: 'can I use chatgpt',
    ask: 'and llama?',
    is: [
      'language-models#how-to-use-a-language-model-such-as-gpt-claude-or-llama',
      'language-models#how-to-run-a-local-model-with-ollama',
    ],
  },
  { ask: 'step by step guide for absolute beginners please', is: ['getting-started#how-to-get-started'] },
  { ask: 'sandbox vs live', is: ['api#the-difference-between-live-and-sandbox'] },
  {
    ask: 'can I host it on a cheap shared hosting with cpanel',
    is: ['install#can-i-run-it-on-shared-hosting-such-as-cpanel'],
  },
  {
    ask: "le bouton de chat ne s'affiche pas",
    is: ['troubleshooting#the-launcher-button-does-not-appear-on-the-page'],
  },
  { ask: 'postman collection', is: ['api#what-the-api-for-servers-gives'] },
  { ask: 'internet explorer', is: ['browsers#which-browsers-foyer-works-in'] },
  {
    after: 'how do I add the chat to my page',
    ask: 'and in react?',
    is: ['frameworks#how-to-use-it-in-react-or-nextjs'],
  },
  { ask: 'idempotency, will a retry send the sms twice', is: ['api#does-a-retry-send-a-text-twice'] },
  {
    ask: 'make it inline inside a div',
    is: ['appearance#how-to-put-the-chat-inside-an-element-of-the-page'],
  },
  { ask: 'font size too small for our older customers', is: ['appearance#how-to-make-the-text-larger'] },
  {
    ask: 'visitor identity verification, jwt?',
    is: ['questions#how-do-i-identify-a-logged-in-user-or-tell-the-agent-their-name'],
  },
  {
    ask: 'bot hallucinated a link that does not exist',
    is: ['language-models#how-the-model-is-kept-from-inventing-facts-and-links'],
  },
  { ask: 'windows support? or linux only', is: ['about#what-you-need-to-run-it-on-linux-macos-or-windows'] },
  {
    ask: 'i changed a markdown file but the bot still says the old thing',
    is: ['answering#how-to-update-the-documents-without-a-restart'],
  },
  {
    ask: 'nobody is available at night, opening hours',
    is: ['questions#can-i-set-office-hours-departments-or-teams'],
  },
  { ask: 'load lazily only after click', is: ['embedding#what-happens-before-the-chat-is-opened'] },
  {
    ask: 'chat verschwindet beim neuladen der seite',
    is: ['troubleshooting#the-chat-is-gone-after-a-reload'],
  },
  {
    ask: 'bot gives wrong answers, how do I improve them',
    is: ['troubleshooting#the-answers-are-wrong-or-missing'],
  },
  { ask: 'Comment installer Foyer sur mon serveur ?', is: ['install#how-to-install-foyer-server-from-npm'] },
  {
    ask: 'does the widget phone home or load anything from google',
    is: ['privacy#does-foyer-send-data-home-or-load-anything-from-google-or-a-cdn'],
  },
  {
    ask: 'how is this different from intercom or tawk.to',
    is: ['about#how-self-hosted-foyer-compares-to-a-hosted-chat-service-in-the-cloud'],
  },
  { ask: 'webhook when an sms comes in', is: ['api#what-happens-with-an-sms-that-comes-in'] },
  {
    ask: 'pagination of conversations list',
    is: ['api#how-to-page-through-all-conversations', 'api#how-to-list-conversations'],
  },
  {
    ask: 'how do I end a conversation from code',
    is: ['page-api#how-to-send-a-message-or-end-the-chat-from-code'],
  },
  {
    ask: 'which file formats can the folder have, pdf? word?',
    is: ['answering#how-to-answer-from-my-own-files'],
  },
  {
    ask: 'let the bot look up an order in our database',
    is: ['language-models#how-to-make-the-assistant-book-appointments-or-look-up-orders'],
  },
  { ask: 'typescript types included?', is: ['questions#are-there-typescript-types'] },
  { ask: 'wordpress plugin?', is: ['frameworks#how-to-add-it-to-wordpress'] },
  { ask: 'Was kostet das?', is: ['about#what-foyer-costs'] },
  { ask: 'change the colour of the button to our brand green', is: ['appearance#how-to-change-the-colour'] },
  {
    ask: 'how many simultaneous chats can one server handle',
    is: ['questions#how-many-users-and-conversations-can-it-handle'],
  },
  { after: 'which browsers work', ask: 'what about mobile?', is: ['browsers#which-browsers-foyer-works-in'] },
  { ask: 'gdpr: how does a visitor get all his data deleted', is: ['privacy#how-foyer-helps-with-the-gdpr'] },
  { ask: 'are ip addresses saved', is: ['privacy#are-ip-addresses-stored'] },
  {
    ask: 'what does "self-hosted" mean for me in practice, do I need a server?',
    is: ['about#what-self-hosted-means'],
  },
  {
    ask: "change the bot's personality / system prompt",
    is: ['language-models#how-to-give-the-model-instructions'],
  },
  { ask: 'use twilio as carrier', is: ['runtime#how-to-connect-twilio-or-another-sms-provider'] },
  {
    ask: 'We run a small dental practice, no IT staff. Is this something we could use?',
    is: ['about#who-foyer-is-for'],
  },
  { ask: 'angular', is: ['frameworks#how-to-use-it-in-angular'] },
  { ask: 'do we need a cookie banner because of the chat', is: ['privacy#is-a-cookie-banner-needed'] },
  {
    ask: 'credit card numbers typed into the chat, what happens with those',
    is: ['operating#how-card-numbers-are-masked'],
  },
  {
    ask: 'use with traefik or caddy',
    is: ['install#how-to-put-it-behind-cloudflare-traefik-haproxy-or-a-load-balancer'],
  },
  { ask: 'environment variables list', is: ['settings#environment-variables'] },
  {
    ask: 'send the cart contents along with the chat',
    is: ['questions#can-the-page-send-data-to-the-agent-such-as-the-cart'],
  },
  {
    ask: 'websocket connection failed 502 behind nginx',
    is: ['install#how-to-put-it-behind-a-reverse-proxy-with-websocket'],
  },
  {
    ask: 'semantic search embeddings setup',
    is: ['answering#how-to-find-answers-by-meaning-with-embeddings'],
  },
  { ask: 'chat loads but says it cannot connect', is: ['troubleshooting#the-chat-does-not-connect'] },
  {
    ask: 'how do I plug in chatgpt',
    is: ['language-models#how-to-use-a-language-model-such-as-gpt-claude-or-llama'],
  },
  {
    ask: 'does voiceover read new messages aloud',
    is: ['privacy#how-accessible-the-chat-is-by-keyboard-and-screen-reader'],
  },
  { ask: 'log format json?', is: ['monitoring#what-is-in-the-logs'] },
  {
    ask: 'Wie binde ich den Chat in meine Webseite ein?',
    is: ['embedding#how-to-add-the-chat-to-a-site-with-a-script-tag'],
  },
  {
    ask: 'send a message programmatically on behalf of the visitor',
    is: ['page-api#how-to-send-a-message-or-end-the-chat-from-code'],
  },
  { ask: 'how too chnage colrs', is: ['appearance#how-to-change-the-colour'] },
  { ask: 'bundle size gzip', is: ['questions#how-big-is-the-widget-and-does-it-slow-down-my-page'] },
  { ask: 'vue 3 example', is: ['frameworks#how-to-use-it-in-vue-or-nuxt'] },
  { ask: 'contribute a patch, run the tests', is: ['about#how-to-contribute'] },
  {
    ask: 'someone leaked our token on github, what now',
    is: [
      'questions#how-do-i-rotate-the-cookie-secret-or-the-connector-token',
      'operating#what-to-do-when-an-api-key-leaked',
    ],
  },
  {
    ask: 'is the access token visible to the javascript of the page',
    is: ['security#what-scripts-of-the-page-can-reach'],
  },
  {
    after: 'how do people take over',
    ask: 'and in German?',
    is: [
      'appearance#how-to-change-the-language-of-the-chat',
      'languages#which-languages-the-chat-speaks',
      'answering#in-which-languages-it-answers',
    ],
  },
  {
    ask: 'is there a hook or component for nextjs app router, SSR errors window is not defined',
    is: ['frameworks#how-to-use-it-in-react-or-nextjs'],
  },
  { ask: 'rotate secrets', is: ['questions#how-do-i-rotate-the-cookie-secret-or-the-connector-token'] },
  {
    ask: 'how do you protect against prompt injection',
    is: ['language-models#how-foyer-protects-against-prompt-injection'],
  },
  { ask: 'who is behind foyer and how long will it be maintained', is: ['about#who-makes-foyer'] },
  {
    ask: 'Refused to load the script because it violates the following Content Security Policy directive',
    is: ['troubleshooting#refused-to-load-the-script-content-security-policy'],
  },
  { ask: 'listen for new messages in my javascript', is: ['page-api#which-events-the-page-hears'] },
  { ask: 'my chat disconnects every 60 seconds', is: ['troubleshooting#the-chat-disconnects-every-minute'] },
  {
    ask: 'Brauchen wir dafür eine Einwilligung nach DSGVO?',
    is: [
      'privacy#is-a-cookie-banner-needed',
      'privacy#how-to-ask-for-consent',
      'privacy#how-foyer-helps-with-the-gdpr',
    ],
  },
  {
    ask: 'does the conversation survive a page reload',
    is: ['questions#does-the-conversation-survive-a-reload-and-is-it-the-same-in-all-tabs'],
  },
  {
    ask: 'open the chat from my own button',
    is: ['appearance#how-to-use-my-own-button-or-icon-for-the-launcher'],
  },
  {
    ask: 'can a malicious script on my site read the chat',
    is: ['security#what-scripts-of-the-page-can-reach'],
  },
  { ask: 'opt out STOP keyword', is: ['runtime#how-people-opt-out-of-texts-with-stop'] },
  {
    ask: 'does it have video chat with screen sharing',
    is: ['questions#are-there-video-calls-voice-messages-or-screen-sharing'],
  },
  { ask: 'is there a discount for nonprofits', is: ['about#what-foyer-costs'] },
  {
    ask: 'can you integrate it with our SAP S/4HANA system',
    is: ['questions#does-foyer-work-with-zapier-salesforce-hubspot-or-zendesk'],
  },
]

export const sealedUnanswered: readonly string[] = [
  "what's the weather in Hamburg tomorrow",
  'how do I bake sourdough bread',
  'who won the world cup',
  'wie hoch ist der Mount Everest',
]
