// Questions of site owners, developers, operators and privacy officers. They were written before anybody looked at what the
// guide answers to them; then the docs and the guide were mended by them.

import type { NewQuestion } from './new-questions.ts'

export const visitorQuestions: readonly NewQuestion[] = [
  {
    ask: 'can I translate it into Dutch',
    is: [
      'languages#which-languages-the-chat-speaks',
      'languages#how-to-add-a-language-or-translate-the-words',
      'appearance#how-to-change-the-language-of-the-chat',
    ],
  },
  { ask: 'streaming answers word by word', is: ['questions#do-answers-stream-in-word-by-word'] },
  {
    ask: 'Geht das auch mit einem Modell, das bei uns im Haus läuft?',
    is: [
      'language-models#how-to-run-a-model-on-your-own-hardware-without-a-cloud',
      'language-models#how-to-run-a-local-model-with-ollama',
    ],
  },
  {
    ask: '429 too many requests',
    is: ['questions#is-there-rate-limiting', 'troubleshooting#what-401-403-and-429-mean'],
  },
  {
    ask: 'strict csp with nonces',
    is: [
      'security#content-security-policy',
      'troubleshooting#refused-to-load-the-script-content-security-policy',
    ],
  },
  {
    ask: 'transfer to zendesk agents',
    is: ['questions#does-foyer-work-with-zapier-salesforce-hubspot-or-zendesk'],
  },
  {
    ask: 'passwort vergessen api schlüssel neu',
    is: ['operating#i-lost-an-api-key', 'operating#how-to-make-list-and-revoke-api-keys'],
  },
  {
    ask: 'kubernetes health probes',
    is: ['install#how-to-run-it-on-kubernetes', 'monitoring#how-to-check-that-it-runs'],
  },
  {
    after: 'how do I run it with docker',
    ask: 'and without?',
    is: [
      'getting-started#how-to-get-started',
      'install#how-to-install-foyer-server-from-npm',
      'install#how-to-run-it-as-a-systemd-service',
    ],
  },
  {
    ask: '401 unauthorized when I call the api',
    is: ['troubleshooting#what-401-403-and-429-mean', 'operating#how-to-make-list-and-revoke-api-keys'],
  },
  {
    ask: 'can visitors start the chat only after agreeing to something',
    is: ['privacy#how-to-ask-for-consent', 'embedding#how-to-ask-for-consent-first'],
  },
  {
    ask: 'hide the launcher on the checkout page',
    is: ['embedding#how-to-show-the-chat-on-some-pages-only', 'appearance#how-to-hide-the-launcher-button'],
  },
  { ask: 'pricng', is: ['about#what-foyer-costs'] },
  { ask: 'docker compose example with postgres', is: ['install#how-to-run-it-with-docker-compose'] },
  { ask: 'file upload size limit', is: ['questions#can-visitors-upload-files-or-pictures'] },
  { ask: 'minimum ram and cpu for the server', is: ['about#how-much-memory-and-disk-it-needs'] },
  {
    ask: 'single page app with client side routing, does the widget stay',
    is: ['embedding#does-the-chat-stay-in-an-app-with-client-side-routing'],
  },
  {
    ask: 'session timeout - how long until an idle chat is closed',
    is: ['runtime#when-an-idle-chat-is-closed-and-its-session-expires', 'settings#times'],
  },
  { ask: 'can i roll back after an upgrade', is: ['install#how-to-go-back-to-an-older-version'] },
  {
    ask: 'custom css, can i style the bubbles',
    is: ['appearance#which-parts-your-styles-can-reach', 'appearance#which-css-variables-there-are'],
  },
  { ask: 'write my own agent in python', is: ['runtime#can-i-write-an-agent-in-python-or-another-language'] },
  {
    ask: 'what happens to open chats when the server restarts',
    is: ['questions#how-do-i-restart-the-server', 'runtime#where-conversations-are-stored'],
  },
  {
    ask: 'does it do voice calls',
    is: [
      'about#which-channels-there-are-chat-sms-rcs-and-phone-calls',
      'api#how-to-call-a-phone',
      'questions#are-there-video-calls-voice-messages-or-screen-sharing',
    ],
  },
  {
    ask: 'run two instances behind a load balancer, sticky sessions needed?',
    is: [
      'install#how-to-run-it-on-several-machines-or-in-several-processes',
      'install#how-to-put-it-behind-cloudflare-traefik-haproxy-or-a-load-balancer',
    ],
  },
  {
    ask: 'what do I have to write in my privacy policy about this chat',
    is: ['privacy#what-to-write-into-your-privacy-statement'],
  },
  {
    ask: 'how do I know whether the server is alive, is there a ping url',
    is: ['monitoring#how-to-check-that-it-runs'],
  },
  { ask: 'est-ce que les données restent en Europe', is: ['privacy#in-which-country-the-data-is-kept'] },
  {
    ask: 'how do real people take over the chat',
    is: ['runtime#how-to-hand-a-conversation-over-to-a-person', 'runtime#what-live-agents-can-do'],
  },
  { ask: 'MCP', is: ['language-models#how-to-connect-mcp-servers'] },
  {
    ask: "pass the logged in user's name and customer number to the agent",
    is: [
      'questions#how-do-i-identify-a-logged-in-user-or-tell-the-agent-their-name',
      'questions#can-the-page-send-data-to-the-agent-such-as-the-cart',
    ],
  },
  {
    ask: 'how to put cloudflare in front of it',
    is: ['install#how-to-put-it-behind-cloudflare-traefik-haproxy-or-a-load-balancer'],
  },
  {
    ask: 'how long does it take to get a first chat on my page',
    is: ['getting-started#how-long-it-takes-to-try-and-to-install'],
  },
  { ask: 'does it wrok with reactt', is: ['frameworks#how-to-use-it-in-react-or-nextjs'] },
  {
    after: 'Wie installiere ich es?',
    ask: 'und auf Docker?',
    is: ['install#how-to-run-it-with-docker', 'install#how-to-run-it-with-docker-compose'],
  },
  {
    ask: 'local development with http://localhost and a different port, cors error',
    is: ['troubleshooting#cors-errors-and-403-on-localhost'],
  },
  { ask: 'wie starte ich das als dienst mit systemd', is: ['install#how-to-run-it-as-a-systemd-service'] },
  { ask: 'changer la langue du chat en français', is: ['appearance#how-to-change-the-language-of-the-chat'] },
  { ask: 'white label, remove the foyer name', is: ['appearance#is-there-a-powered-by-line-to-remove'] },
  {
    ask: 'does it need internet access at all once installed, our network is air gapped',
    is: ['questions#does-it-work-offline'],
  },
  {
    ask: 'do you do rate limiting against spam bots',
    is: ['questions#is-there-rate-limiting', 'questions#can-i-block-a-visitor-or-stop-spam'],
  },
  {
    ask: 'export conversations to csv for reporting',
    is: ['questions#can-i-export-conversations-to-csv-or-excel'],
  },
  { ask: 'azure openai endpoint', is: ['language-models#how-to-use-azure-openai'] },
  { ask: 'is the data encrypted at rest', is: ['privacy#is-the-data-encrypted'] },
  { ask: 'which safari versions', is: ['browsers#which-browsers-foyer-works-in'] },
  {
    ask: 'multiple websites with one server',
    is: ['embedding#how-to-serve-several-sites-or-brands-with-one-server'],
  },
  {
    ask: 'i get "node: unsupported engine" when installing, which node do you want',
    is: [
      'getting-started#if-it-does-not-start',
      'about#what-you-need-to-run-it-on-linux-macos-or-windows',
      'troubleshooting#the-server-does-not-start',
    ],
  },
  { ask: 'connect to a local ollama model', is: ['language-models#how-to-run-a-local-model-with-ollama'] },
  {
    ask: 'high contrast mode / forced colors windows',
    is: [
      'accessibility#sizes-colours-and-motion',
      'privacy#how-accessible-the-chat-is-by-keyboard-and-screen-reader',
    ],
  },
  {
    ask: 'how long are chats stored and can I shorten it',
    is: ['operating#how-long-conversations-are-kept', 'settings#where-data-is-kept-and-for-how-long'],
  },
  {
    ask: 'same conversation on two tabs',
    is: ['questions#does-the-conversation-survive-a-reload-and-is-it-the-same-in-all-tabs'],
  },
  {
    ask: 'data processing agreement, who is the processor?',
    is: ['privacy#who-is-controller-and-processor-and-is-a-data-processing-agreement-needed'],
  },
  { ask: 'how to change the texts e.g. "Type a message"', is: ['languages#how-to-change-single-words'] },
  { ask: 'shopify theme', is: ['frameworks#how-to-add-it-to-shopify-wix-squarespace-or-webflow'] },
  {
    ask: 'how do I update to a new version without kicking out people who are chatting',
    is: ['install#how-to-upgrade-to-a-new-version'],
  },
  { ask: 'fonts: does it use our webfont', is: ['appearance#how-to-change-the-font'] },
  {
    ask: 'Ich möchte, dass nachts kein Mitarbeiter angefragt wird',
    is: [
      'questions#can-i-set-office-hours-departments-or-teams',
      'embedding#how-to-show-something-before-the-chat',
    ],
  },
  { ask: 'do i need a contract or an account somewhere before I start', is: ['about#what-foyer-costs'] },
  { ask: 'dark mode follows the system?', is: ['appearance#how-to-turn-on-dark-mode'] },
  { ask: 'can i use it in a commercial product without telling anyone', is: ['about#which-licence-it-has'] },
  {
    ask: 'full page chat instead of a bubble',
    is: [
      'appearance#how-to-make-the-chat-fill-the-whole-page',
      'questions#how-do-i-hide-the-header-or-fill-the-screen',
    ],
  },
  {
    ask: 'unread badge counter in my nav bar',
    is: ['page-api#how-to-show-the-number-of-unread-messages-on-my-page'],
  },
  { ask: 'deploment on dokcer', is: ['install#how-to-run-it-with-docker'] },
  { ask: 'use my own custom launcher', is: ['appearance#how-to-use-my-own-button-or-icon-for-the-launcher'] },
  {
    ask: 'what does a support employee see, is there an inbox for staff',
    is: ['runtime#what-live-agents-can-do', 'runtime#is-there-an-app-for-live-agents'],
  },
  { ask: 'typing indicator', is: ['questions#is-there-a-typing-indicator-an-unread-badge-a-read-receipt'] },
  { ask: 'can users rate the chat thumbs up', is: ['questions#can-visitors-rate-the-chat'] },
  { ask: 'ça marche avec WordPress ?', is: ['frameworks#how-to-add-it-to-wordpress'] },
  { ask: 'email transcript to customer', is: ['questions#can-a-visitor-get-the-transcript-by-e-mail'] },
  {
    ask: 'can the agent call my own function',
    is: [
      'language-models#how-to-write-an-llm-agent-in-30-lines',
      'language-models#what-tools-the-model-has',
      'language-models#how-to-make-the-assistant-book-appointments-or-look-up-orders',
    ],
  },
  {
    after: 'how long are conversations kept',
    ask: 'can I change that?',
    is: ['operating#how-long-conversations-are-kept', 'settings#where-data-is-kept-and-for-how-long'],
  },
  {
    ask: 'what gets logged, do chat messages end up in our log files',
    is: ['monitoring#what-is-in-the-logs'],
  },
  {
    after: 'comment ajouter le chat à mon site',
    ask: 'et avec vue ?',
    is: ['frameworks#how-to-use-it-in-vue-or-nuxt'],
  },
  { ask: 'google tag manager', is: ['frameworks#how-to-add-it-with-google-tag-manager'] },
  {
    ask: 'move from the embedded database to a real postgres',
    is: ['operating#how-to-move-from-the-embedded-store-to-a-postgresql-server'],
  },
  { ask: 'backup and restore the database', is: ['operating#how-to-back-up-and-restore-the-data'] },
  {
    ask: 'Wo werden die Gespräche gespeichert und wie lange?',
    is: [
      'runtime#where-conversations-are-stored',
      'operating#how-long-conversations-are-kept',
      'settings#where-data-is-kept-and-for-how-long',
    ],
  },
  { ask: 'how to report a vulnerability', is: ['troubleshooting#how-to-report-a-security-hole'] },
  { ask: 'will it run on a raspberry pi', is: ['about#which-processors-and-javascript-runtimes-it-runs-on'] },
  {
    ask: 'test in CI without a real phone',
    is: ['runtime#how-to-test-texts-and-calls-without-a-real-phone'],
  },
  {
    ask: 'how does a customer get back to the bot after talking to a human',
    is: ['runtime#how-a-visitor-gets-back-from-a-person-to-the-agent'],
  },
  {
    ask: 'search old conversations for a word',
    is: ['api#how-to-find-a-conversation-by-what-was-said-in-it'],
  },
  { ask: 'prometheus endpoint', is: ['monitoring#how-to-get-metrics'] },
  { ask: 'client library for node, how to install', is: ['client#what-the-client-is'] },
  { ask: 'reduced motion', is: ['accessibility#sizes-colours-and-motion'] },
  { ask: 'put our logo in the header', is: ['appearance#how-to-put-my-logo-into-the-header'] },
  {
    ask: 'how do I know in google analytics that somebody opened the chat',
    is: ['page-api#how-to-count-chats-in-google-analytics', 'page-api#which-events-the-page-hears'],
  },
  { ask: 'right to left arabic hebrew', is: ['languages#which-languages-the-chat-speaks'] },
  { ask: 'where do i paste the snippet', is: ['embedding#how-to-add-the-chat-to-a-site-with-a-script-tag'] },
  {
    after: 'how do I send an sms',
    ask: 'and from node?',
    is: ['api#how-to-send-a-text-message', 'client#what-the-client-is'],
  },
  { ask: 'send an sms from my backend with curl', is: ['api#how-to-send-a-text-message'] },
  {
    ask: 'welcome message before the user says anything',
    is: ['questions#how-do-i-change-the-welcome-message-or-the-greeting'],
  },
  {
    ask: 'right of access, export everything we know about one user',
    is: ['privacy#how-to-answer-a-request-for-access'],
  },
  {
    ask: 'the bubble doesnt show up on my page, nothing in the console',
    is: ['troubleshooting#the-launcher-button-does-not-appear-on-the-page'],
  },
  { ask: 'i want the button bottom left instead', is: ['appearance#how-to-move-the-chat-to-the-left'] },
  {
    after: 'how do I change the colours',
    ask: 'and the position?',
    is: [
      'appearance#how-to-move-the-chat-to-the-left',
      'embedding#how-launcher-and-panel-are-placed-above-the-page',
    ],
  },
  {
    ask: 'wcag 2.2 conformity statement',
    is: [
      'privacy#what-to-write-into-your-accessibility-statement',
      'privacy#how-accessible-the-chat-is-by-keyboard-and-screen-reader',
    ],
  },
  { ask: 'is there a paid tier', is: ['about#what-foyer-costs'] },
  {
    ask: 'I lost my api key, how do I get a new one',
    is: ['operating#i-lost-an-api-key', 'operating#how-to-make-list-and-revoke-api-keys'],
  },
  {
    ask: 'how much will the llm cost me per chat, can i cap it',
    is: [
      'language-models#what-a-language-model-costs',
      'language-models#how-to-limit-what-a-visitor-may-spend',
    ],
  },
  { ask: 'quels navigateurs sont compatibles', is: ['browsers#which-browsers-foyer-works-in'] },
  {
    ask: 'can I use the chat with only the keyboard',
    is: [
      'accessibility#how-to-use-the-chat-by-keyboard',
      'privacy#how-accessible-the-chat-is-by-keyboard-and-screen-reader',
    ],
  },
  {
    ask: 'penetration test or security audit done?',
    is: ['security#has-foyer-been-audited-or-penetration-tested'],
  },
  {
    ask: 'minimal example of custom agent',
    is: [
      'runtime#a-minimal-agent',
      'runtime#how-to-write-an-agent',
      'language-models#how-to-write-an-llm-agent-in-30-lines',
    ],
  },
  {
    ask: 'the chat covers our cookie notice, z-index',
    is: ['embedding#how-launcher-and-panel-are-placed-above-the-page'],
  },
  { ask: 'instal foyer sever npm', is: ['install#how-to-install-foyer-server-from-npm'] },
  {
    ask: 'see how many chats ended with handoff, statistics dashboard',
    is: ['monitoring#is-there-a-dashboard-with-statistics'],
  },
  { ask: 'tls certificate, does the server handle https itself', is: ['install#how-to-get-https'] },
  { ask: 'openapi spec / swagger', is: ['api#what-the-api-for-servers-gives'] },
  { ask: 'Kann ich die Farbe ändern', is: ['appearance#how-to-change-the-colour'] },
  {
    ask: 'npm start fails with EADDRINUSE',
    is: ['getting-started#if-it-does-not-start', 'troubleshooting#the-server-does-not-start'],
  },
  {
    ask: 'make the bot answer only from my documents',
    is: ['answering#how-to-answer-from-my-own-files', 'answering#how-the-guide-answers'],
  },
  { ask: 'where do I configure the api key', is: ['operating#how-to-make-list-and-revoke-api-keys'] },
  { ask: 'when is your next release coming out', is: ['about#how-mature-foyer-is-and-which-version-it-has'] },
  { ask: 'is foyer certified for HIPAA', is: ['about#is-foyer-certified-iso-27001-soc-2-or-hipaa'] },
  {
    ask: 'do you have a phone number I can call your sales team on',
    is: ['questions#is-there-support-or-an-sla'],
  },
  {
    ask: 'hey, our marketing wants a chat bubble, what do I tell them to paste?',
    is: ['embedding#how-to-add-the-chat-to-a-site-with-a-script-tag'],
  },
  { ask: 'is this thing safe for a bank', is: ['security#how-secure-foyer-is'] },
  {
    ask: 'our legal department asks which subprocessors you have',
    is: ['privacy#who-is-controller-and-processor-and-is-a-data-processing-agreement-needed'],
  },
  { ask: 'can I see an invoice', is: ['about#what-foyer-costs'] },
  { ask: 'how do i make the bot say hi in spanish', is: ['answering#in-which-languages-it-answers'] },
  {
    ask: 'chat box looks tiny on my 4k monitor',
    is: ['appearance#how-to-make-the-chat-window-larger-or-smaller'],
  },
  {
    ask: "where can I find my customers' conversations",
    is: ['questions#how-do-i-see-what-visitors-asked-and-which-questions-were-not-answered'],
  },
  { ask: 'how to stop the server', is: ['questions#how-do-i-restart-the-server'] },
  { ask: 'does it run on mac', is: ['about#what-you-need-to-run-it-on-linux-macos-or-windows'] },
  {
    ask: 'i closed the terminal and the chat is gone',
    is: ['questions#how-do-i-restart-the-server', 'install#how-to-run-it-as-a-systemd-service'],
  },
  { ask: 'the page says foyer is not defined', is: ['page-api#windowfoyer'] },
  {
    ask: 'can the bot send pictures',
    is: ['questions#can-answers-have-buttons-quick-replies-images-or-emoji'],
  },
  { ask: 'what if openai goes down', is: ['language-models#what-happens-when-the-model-fails-or-is-down'] },
  {
    ask: 'how do I make sure the bot never talks about prices',
    is: ['language-models#how-to-give-the-model-instructions'],
  },
  { ask: 'why do I need two domains', is: ['security#why-the-chat-needs-an-origin-of-its-own'] },
  { ask: 'can i use it without the iframe', is: ['embedding#the-difference-between-frame-and-none'] },
  {
    ask: 'do visitors have to log in',
    is: ['questions#how-do-i-identify-a-logged-in-user-or-tell-the-agent-their-name'],
  },
  { ask: 'can I change the placeholder in the text box', is: ['languages#how-to-change-single-words'] },
  {
    ask: 'our site is multilingual, does the chat follow',
    is: ['appearance#how-to-change-the-language-of-the-chat'],
  },
  { ask: 'is there a limit on how many documents', is: ['answering#how-to-answer-from-my-own-files'] },
  { ask: 'can it read google docs or notion', is: ['answering#how-to-answer-from-my-own-files'] },
  {
    ask: 'what happens with the data when I delete the docker container',
    is: ['install#how-to-run-it-with-docker'],
  },
  { ask: 'disk is full because of chats', is: ['operating#how-long-conversations-are-kept'] },
  { ask: 'two agents answer the same customer?', is: ['runtime#what-live-agents-can-do'] },
  {
    ask: 'can agents see who is typing',
    is: ['questions#is-there-a-typing-indicator-an-unread-badge-a-read-receipt'],
  },
  {
    ask: 'get notified on my phone when somebody writes',
    is: ['questions#how-are-live-agents-notified-when-a-visitor-waits'],
  },
  {
    ask: 'how can I embed it in an electron app',
    is: ['frameworks#how-to-use-it-in-a-mobile-app-ios-android-react-native-flutter'],
  },
  { ask: 'use with Cloudflare Workers', is: ['questions#can-i-run-it-on-vercel-cloudflare-or-kubernetes'] },
  { ask: 'npm audit, which dependencies', is: ['security#code-of-others'] },
  { ask: 'will it break my css', is: ['embedding#the-difference-between-frame-and-none'] },
  {
    ask: 'can I disable the emoji',
    is: ['questions#can-answers-have-buttons-quick-replies-images-or-emoji'],
  },
  {
    ask: 'voice assistant phone line for our customers',
    is: ['about#which-channels-there-are-chat-sms-rcs-and-phone-calls'],
  },
  {
    ask: 'how do I set the connector token',
    is: [
      'questions#how-do-i-rotate-the-cookie-secret-or-the-connector-token',
      'operating#how-to-make-list-and-revoke-connectors',
    ],
  },
  {
    ask: 'FOYER_ORIGINS',
    is: [
      'bff#which-origins-may-embed-the-chat',
      'settings#environment-variables',
      'troubleshooting#cors-errors-and-403-on-localhost',
    ],
  },
  { ask: "what's the difference between guide and llm", is: ['settings#which-agent-answers'] },
  {
    ask: 'Wie kann ich den Bot auf meiner Shopify Seite einbauen',
    is: ['frameworks#how-to-add-it-to-shopify-wix-squarespace-or-webflow'],
  },
  { ask: 'Kann der Chat auch Bilder empfangen?', is: ['questions#can-visitors-upload-files-or-pictures'] },
  { ask: 'Was passiert, wenn der Server neu startet?', is: ['questions#how-do-i-restart-the-server'] },
  {
    ask: 'Mein Chat zeigt immer 403',
    is: ['troubleshooting#cors-errors-and-403-on-localhost', 'troubleshooting#what-401-403-and-429-mean'],
  },
  {
    ask: 'Wie ändere ich den Begrüßungstext?',
    is: ['questions#how-do-i-change-the-welcome-message-or-the-greeting'],
  },
  {
    ask: 'Puis-je changer la taille de la fenêtre ?',
    is: ['appearance#how-to-make-the-chat-window-larger-or-smaller'],
  },
  { ask: 'Le chat ne se connecte pas', is: ['troubleshooting#the-chat-does-not-connect'] },
  {
    ask: 'Est-ce accessible aux aveugles ?',
    is: ['privacy#how-accessible-the-chat-is-by-keyboard-and-screen-reader'],
  },
  {
    after: 'how do I add it to wordpress',
    ask: 'does it need a plugin?',
    is: ['frameworks#how-to-add-it-to-wordpress'],
  },
  { after: 'Is it free?', ask: 'really? for companies too?', is: ['about#what-foyer-costs'] },
  { after: 'how do I change the color', ask: 'in dark mode?', is: ['appearance#how-to-turn-on-dark-mode'] },
  { after: 'How long are chats kept?', ask: 'und wo?', is: ['runtime#where-conversations-are-stored'] },
  {
    after: 'can it use chatgpt',
    ask: 'how much is that?',
    is: ['language-models#what-a-language-model-costs'],
  },
  { after: 'how do I get metrics', ask: 'with grafana?', is: ['monitoring#how-to-get-metrics'] },
  { ask: 'who pays for the sms', is: ['about#what-foyer-costs'] },
  { ask: 'is my chat private', is: ['privacy#who-can-read-the-conversations'] },
  { ask: 'how do I switch off the download button', is: ['embedding#how-to-switch-features-off'] },
  {
    ask: 'I want a form that asks for the email before chatting',
    is: ['embedding#how-to-show-something-before-the-chat'],
  },
  {
    ask: 'visitors complain that the chat opens by itself',
    is: ['embedding#how-to-open-the-chat-by-itself'],
  },
  { ask: 'the chat opens but nothing answers', is: ['troubleshooting#the-chat-opens-but-no-answer-comes'] },
  { ask: 'my answers contain html, it shows as text', is: ['security#markdown-links-and-images'] },
  {
    ask: 'can I use markdown tables in the answers',
    is: ['questions#can-answers-have-buttons-quick-replies-images-or-emoji'],
  },
  {
    ask: 'how do I give two people access to the desk',
    is: ['runtime#who-can-open-the-desk-page-and-is-there-a-login'],
  },
  { ask: 'login for the desk page', is: ['runtime#who-can-open-the-desk-page-and-is-there-a-login'] },
  { ask: 'is there an admin password', is: ['operating#is-there-an-admin-page-or-an-admin-password'] },
  { ask: 'how do I see live who is chatting right now', is: ['api#how-to-see-which-chats-are-going-on-now'] },
  {
    ask: 'chat history for the visitor',
    is: [
      'questions#can-a-visitor-get-the-transcript-by-e-mail',
      'questions#does-the-conversation-survive-a-reload-and-is-it-the-same-in-all-tabs',
    ],
  },
  { ask: 'can the visitor start over', is: ['questions#can-the-visitor-start-over-end-or-delete-the-chat'] },
  {
    ask: 'delete a message',
    is: [
      'operating#how-to-erase-a-persons-data',
      'questions#can-the-visitor-start-over-end-or-delete-the-chat',
    ],
  },
  {
    ask: 'what if two visitors use the same computer',
    is: ['questions#what-if-several-people-use-the-same-computer'],
  },
  {
    ask: 'shared computer, how to clear the chat',
    is: ['questions#what-if-several-people-use-the-same-computer'],
  },
  { ask: 'does it keep working when I change the domain', is: ['install#how-to-change-the-domain'] },
  { ask: 'my nginx logs show the token', is: ['security#what-remains'] },
  { ask: 'intranet without https', is: ['install#how-to-get-https'] },
  { ask: 'self signed certificate', is: ['install#how-to-get-https'] },
  { ask: 'ipv6', is: ['bff#behind-a-proxy', 'security#hosts-origins-and-addresses'] },
  { ask: 'how to enable debug output', is: ['monitoring#where-the-logs-are'] },
  { ask: 'healthcheck for docker', is: ['monitoring#how-to-check-that-it-runs'] },
  { ask: 'how to run without demo', is: ['install#how-to-go-from-the-demo-to-a-real-site'] },
  { ask: 'where is the config file', is: ['settings#environment-variables'] },
  { ask: 'what is FOYER_COOKIE_SECRET for', is: ['questions#what-is-the-cookie-secret-for'] },
  { ask: 'can I use redis', is: ['about#which-databases-it-works-with'] },
  {
    ask: 'windows server iis',
    is: ['install#how-to-put-it-behind-cloudflare-traefik-haproxy-or-a-load-balancer'],
  },
  { ask: 'how many languages', is: ['languages#which-languages-the-chat-speaks'] },
  { ask: 'which timezone is used', is: ['embedding#how-to-show-something-before-the-chat'] },
  { ask: 'is there a changelog', is: ['about#how-mature-foyer-is-and-which-version-it-has'] },
  { ask: 'is the source code available', is: ['about#how-to-contribute'] },
  { ask: 'can I sell it to my clients', is: ['about#which-licence-it-has'] },
  {
    ask: 'how do I test it before going live',
    is: [
      'install#how-to-go-from-the-demo-to-a-real-site',
      'api#the-difference-between-live-and-sandbox',
      'getting-started#how-to-get-started',
    ],
  },
  { ask: 'staging environment', is: ['api#the-difference-between-live-and-sandbox'] },
  { ask: 'what does the agent remember about a visitor', is: ['privacy#which-personal-data-foyer-stores'] },
  {
    ask: 'how to log out the visitor',
    is: [
      'questions#what-if-several-people-use-the-same-computer',
      'questions#how-do-i-identify-a-logged-in-user-or-tell-the-agent-their-name',
    ],
  },
  { ask: 'screen readers', is: ['accessibility#what-a-screen-reader-is-told'] },
  { ask: 'color blind users', is: ['privacy#how-accessible-the-chat-is-by-keyboard-and-screen-reader'] },
  { ask: "translate the bot's answers automatically", is: ['answering#in-which-languages-it-answers'] },
  { ask: 'how to remove the small print under the input', is: ['languages#how-to-change-single-words'] },
  { ask: 'show a privacy policy link in the chat', is: ['privacy#how-to-ask-for-consent'] },
  { ask: 'can it ask for consent', is: ['privacy#how-to-ask-for-consent'] },
  { ask: 'do you store phone numbers', is: ['privacy#which-personal-data-foyer-stores'] },
  { ask: 'can I call customers with it', is: ['api#how-to-call-a-phone'] },
  { ask: 'Wie kann ich Dokumente hinzufügen', is: ['answering#how-to-answer-from-my-own-files'] },
  { ask: 'Wer kann die Chats lesen', is: ['privacy#who-can-read-the-conversations'] },
  { ask: 'Wo trage ich die Domain ein', is: ['install#how-to-change-the-domain'] },
  {
    ask: 'Brauche ich Docker?',
    is: [
      'about#what-you-need-to-run-it-on-linux-macos-or-windows',
      'install#how-to-run-it-with-docker',
      'install#how-to-install-foyer-server-from-npm',
    ],
  },
  {
    ask: 'Welche Modelle werden unterstützt',
    is: ['language-models#how-to-use-a-language-model-such-as-gpt-claude-or-llama'],
  },
  { ask: 'Comment faire une sauvegarde', is: ['operating#how-to-back-up-and-restore-the-data'] },
  { ask: 'Où sont stockées les données', is: ['runtime#where-conversations-are-stored'] },
  { ask: 'Peut-on limiter le coût', is: ['language-models#how-to-limit-what-a-visitor-may-spend'] },
  { ask: 'a/b test two agents', is: ['questions#can-i-test-two-agents-against-each-other-ab-test'] },
]

export const visitorUnanswered: readonly string[] = [
  'are you hiring',
  "can it detect the visitor's mood from his voice",
  'how do I cancel my subscription',
  'which football club should I support',
  'does foyer support blockchain payments',
  'where is my order 4711',
]
