// Words that mean nearly the same, in English | German | French, one group a line. A folder adds its own by a
// file `synonyms.txt` of the same form.

import { type Language, stemOf } from '../language.ts'

const SHIPPED = `
cost=price=pricing pay fee charge expensive cheap paid money | kosten kostet kostenlos versandkosten lieferkosten preis preise teuer billig gebühr geld | coût coûte coûter prix cher tarif frais argent payant
free gratis | kostenlos gratis umsonst | gratuit gratuite gratuitement
licence=license=licensing MIT | lizenz lizenzen | licence
pay=payment card | zahlen bezahlen zahlung zahlungsart bezahlung | payer paiement paiements payement
embed add put place integrate include insert plug | einbinden binde eingebunden einbetten einfügen einbauen integrieren hinzufügen | intégrer ajouter insérer incorporer mettre inclure
install setup deploy installation add | installieren installation einrichten aufsetzen | installer installation déployer
site=website page=webpage homepage blog web origin domain | seite webseite website homepage internetseite | site page web
widget chat chatbot chatbox messenger bubble | widget chat chatfenster | widget chat
bot agent assistant guide | bot agent assistent | bot agent assistant
start run launch begin boot | starten start läuft ausführen beginnen laufen | démarrer lancer commencer exécuter démarrage
stop end quit close shutdown finish | stoppen beenden anhalten schließen | arrêter terminer quitter fermer
open launch | öffnen öffnet | ouvrir
show display visible appear | anzeigen zeigen angezeigt sichtbar erscheint | afficher montrer visible
close hide shut | schließen verstecken verbergen | fermer cacher masquer
button launcher | knopf button schaltfläche taste | bouton
colour=color accent theme | farbe farben | couleur couleurs
dark=night black | dunkel dunkelmodus dunkle | sombre noir nuit
theme style styling look appearance design css | design aussehen gestaltung stil | thème style apparence
brand branding corporate colour logo | marke firmenfarbe | marque
font=typeface typography | schrift schriftart schriften | police caractères typographie
change customize=customise edit modify adjust set configure alter | ändern anpassen verändern einstellen konfigurieren | changer modifier personnaliser adapter configurer
setting settings option options configuration config configure variable parameter environment | einstellung einstellungen option konfiguration umgebungsvariable | paramètre paramètres réglage option configuration
language languages locale translation translate | sprache sprachen übersetzung | langue langues traduction
german | deutsch deutsche | allemand
french | französisch | français française
english | englisch | anglais
position corner left right place location move | position ecke links rechts ort | position coin gauche droite
mobile phone smartphone ios android app | handy mobil smartphone telefon | mobile portable téléphone
phone=telephone call number | telefon anruf telefonnummer anrufen | téléphone appel appeler numéro
sms text texts message messaging | sms nachricht textnachricht | sms texto message
message messages write send | nachricht nachrichten schreiben senden schicken | message messages écrire envoyer
send deliver dispatch | senden schicken verschicken | envoyer expédier
store save keep kept stored storage saved retention | speichern gespeichert aufbewahren aufbewahrung lagern | stocker conserver enregistrer garder conservées sauvegarder
long duration time days period | lange dauert dauer tage zeit frist zeitraum | longtemps durée jours délai temps combien
delete=erase=remove=deletion=erasure wipe forget rid | löschen entfernen gelöscht löschung | supprimer effacer retirer suppression
data information personal | daten personenbezogene informationen | données informations personnelles
privacy gdpr=dsgvo=rgpd protection | datenschutz dsgvo privatsphäre | rgpd confidentialité
encrypted encryption encrypt https tls | verschlüsselt verschlüsselung | chiffré chiffrement
secure security safe safety | sicher sicherheit | sécurité sûr sécurisé
secret password key token credential credentials | passwort schlüssel geheimnis geheim token | clé secret jeton
key keys apikey | schlüssel | clé clés
cookie cookies | cookie cookies | cookie témoin
log logs logging logfile | protokoll log logs protokolle | journal journaux logs
metric metrics monitoring statistics stats figures prometheus observability | statistik metriken überwachung kennzahlen | métriques statistiques surveillance
error errors problem fail failure fails broken trouble issue bug | fehler problem probleme kaputt störung | erreur erreurs problème panne échec
troubleshoot troubleshooting fix solve repair debug | beheben reparieren lösen | résoudre réparer dépanner corriger
update=upgrade version migrate newer | aktualisieren update upgrade aktualisierung | actualiser
backup restore copy | sicherung backup sichern datensicherung wiederherstellen | sauvegarde sauvegarder restaurer
database=db postgres=postgresql sql | datenbank |
server host machine backend | server rechner | serveur
host hosting selfhost onpremise self-host | hosten betreiben hosting | héberger hébergement
folder directory dir | ordner verzeichnis | dossier répertoire
file document=docs markdown | datei dateien dokument dokumente unterlagen | fichier fichiers document documents
own custom my | eigene eigenen eigener eigenes | propre propres
upload attach attachment send | hochladen anhang | téléverser télécharger envoyer
image=picture=photo | bild bilder foto | image photo
link url address links | link adresse | lien liens adresse
person=human people somebody staff operator employee representative | mensch person menschen mitarbeiter jemand | personne humain conseiller quelqu'un
handoff handover takeover transfer escalate escalation hand | übergabe übergeben weiterleiten weitergeben | transfert transférer relais passer
queue wait waiting | warteschlange warten wartezeit | file attente attendre
model llm gpt openai ai ollama chatgpt | modell ki sprachmodell | modèle ia
search find lookup query | suche suchen finden | recherche rechercher chercher trouver
conversation conversations chat chats transcript history dialogue | gespräch gespräche unterhaltung verlauf | conversation conversations historique
user visitor customer client users visitors person | nutzer benutzer besucher kunde kunden | utilisateur visiteur client
fast performance speed quick slow latency | schnell geschwindigkeit leistung langsam | rapide vitesse performance lent
size big bigger biggest large larger largest small smaller smallest weight kilobytes bytes heavy | größe groß klein gewicht | taille gros grand poids petit
far range distance reach | weit reichweite entfernung | loin autonomie distance portée
limit limits maximum max | grenze limit maximal höchstens | limite maximum
test tests testing | test tests testen | test tester
browser browsers safari firefox chrome edge | browser | navigateur navigateurs
accessibility accessible wcag keyboard blind screenreader a11y | barrierefreiheit barrierefrei zugänglich tastatur | accessibilité accessible clavier
proxy nginx caddy apache reverse | proxy | proxy mandataire
docker container image compose | docker container | docker conteneur
service daemon systemd | dienst | service
event events callback listener hook webhook | ereignis ereignisse | événement événements
code javascript script snippet | code skript | code script
frame iframe isolation | rahmen | cadre
connection connect connected disconnect offline reconnect | verbindung verbinden getrennt | connexion connecter déconnecté
suggest suggestion suggestions quickreply | vorschlag vorschläge | suggestion suggestions
name title called rename | name titel heißt | nom titre appelle
avatar logo icon picture | logo symbol | logo icône
greeting welcome hello | begrüßung willkommen | accueil bienvenue
requirement requirements prerequisite require | voraussetzung voraussetzungen anforderungen | prérequis exigences
difference differ versus vs compare comparison | unterschied vergleich | différence comparaison
support supported supports | unterstützt unterstützen unterstützung | supporte
possible can able | möglich | possible
refund refunds money reimburse reimbursement | erstattung geld zurückerstattung | remboursement argent rembourser
return returns refund refunds | rückgabe rückgabefrist rückgaberecht rücksendung zurückgeben erstattung umtausch retoure zurückschicken | retour retourner remboursement rembourser renvoyer
exchange swap replace | umtausch umtauschen tauschen ersetzen | échange échanger remplacer
delivery=shipping=shipment deliver=ship postage dispatch | lieferung versand versandkosten lieferkosten liefern lieferzeit verschicken zustellung | livraison livrer expédition envoi
order orders purchase buy ordering | bestellung bestellen kaufen kauf auftrag | commande commander acheter achat
cancel cancellation | stornieren abbrechen kündigen stornierung widerrufen | annuler annulation résilier
warranty=guarantee | garantie gewährleistung | garantie
repair=fix=mend service | reparatur reparieren werkstatt | réparation réparer atelier
opening hours open opened closed | öffnungszeiten geöffnet offen | horaires ouverture ouvert
shop store branch | laden geschäft filiale | magasin boutique
bike=bicycle cycle | fahrrad rad fahrräder velo | vélo bicyclette
invoice=bill receipt | rechnung quittung beleg | facture reçu
discount voucher coupon promo sale | rabatt gutschein nachlass | remise réduction bon promotion
gift present | geschenk | cadeau
account login signin profile | konto anmelden anmeldung | compte connexion
contact reach email=mail | kontakt erreichen mail | contact contacter joindre courriel
country abroad international foreign overseas | ausland land international | étranger pays international
address location where | adresse standort anschrift | adresse lieu
deposit security | kaution pfand anzahlung | caution acompte dépôt
insurance insured insure cover covered | versicherung versichert | assurance assuré
accident crash | unfall | accident
theft stolen steal thief | diebstahl gestohlen geklaut | vol volé
luggage=baggage suitcase bag bags locker | gepäck koffer | bagages valise
age old years young minimum | alter alt jahre mindestalter | âge ans
station branch location | station stationen | station
late overdue delay | spät verspätet verspätung | retard
tyre=tire wheel | reifen | pneu roue
puncture flat | reifenpanne platten panne | crevaison
fire burn burning smoke | feuer brand brennt rauch | feu incendie brûle
jam jammed stuck blocked | klemmt verklemmt blockiert | bloqué coincé
broken damaged defective faulty | kaputt beschädigt defekt | cassé endommagé défectueux abîmé
lost missing stolen | verloren gestohlen weg | perdu volé manquant
job jobs career hiring vacancy | stelle stellen job karriere | emploi poste
size measure fitting | größe maß | taille mesure
rent=hire rental loan lend borrow | mieten verleih leihen ausleihen | louer location emprunter prêt
appointment booking book reserve reservation | termin buchen reservieren reservierung | rendez-vous réserver réservation
battery charge charging | akku batterie laden aufladen | batterie charger recharge
weekend sunday saturday | wochenende sonntag samstag | week-end dimanche samedi
child children kids | kind kinder | enfant enfants
night evening overnight | nacht abend | nuit soir
water rain wet | wasser regen nass | eau pluie
clean wash cleaning | reinigen putzen waschen sauber | nettoyer laver
old used secondhand | alt gebraucht | vieux occasion usagé
new newest latest | neu neue neueste | nouveau nouvelle récent
week month year | woche monat jahr | semaine mois an année
trial try test demo | probieren ausprobieren testen probe | essayer essai
complain complaint | beschwerde beschweren reklamation reklamieren | plainte réclamation
revoke block disable deactivate off | abschalten ausschalten deaktivieren sperren widerrufen | désactiver bloquer révoquer
enable activate on | einschalten aktivieren anschalten | activer
create make generate new | erstellen anlegen erzeugen machen | créer générer faire
read view see list | lesen ansehen anzeigen liste | lire voir lister
receive get fetch | empfangen erhalten bekommen | recevoir obtenir
work works function functions | funktioniert funktionieren geht | fonctionne fonctionner marche marcher
anonymous identify identity | anonym identität | anonyme identité
csp policy content-security-policy | richtlinie | politique
wordpress cms drupal typo3 | wordpress | wordpress
analytics tagmanager gtm | tagmanager |
vue nuxt | vue | vue
svelte sveltekit | svelte | svelte
react next nextjs jsx | react | react
angular | angular | angular
statement declaration | erklärung | déclaration
purpose=point meaning definition | zweck bedeutung | but signification
plain simple easy | einfach leicht | simple facile
production live real | produktion produktiv live echt | production réel
port ports | port | port
memory ram | speicher arbeitsspeicher | mémoire
cpu processor | prozessor | processeur
many several multiple number two | viele mehrere anzahl | plusieurs nombre
field fields payload property | feld felder | champ champs
typing=writing | tippt tippen | saisie
session sessions | sitzung sitzungen | session sessions
expire expires timeout inactivity idle inactive | ablaufen inaktivität | expirer expiration inactivité
`

export type Synonyms = {
  /** Stems of the words that mean the same (1) or nearly the same (below 1) as this word of a text in `language`. */
  of(word: string, language: Language): ReadonlyMap<string, number>
}

const SAME = 1
const NEAR = 0.5
const COLUMNS: readonly Language[] = ['en', 'de', 'fr']
const FEWEST_LETTERS = 2
/** In characters: each word of a group is linked to each other. */
const LONGEST_GROUP = 1_000

/**
 * `own`: further groups in the form of the shipped ones. `=` joins words that mean the same. Groups are not
 * chained: a word reaches its own groups only.
 */
export function createSynonyms(own = ''): Synonyms {
  if (own !== '') return readGroups(own)
  shipped ??= readGroups('')
  return shipped
}

/** Groups are read once: reading them takes longer than reading a small folder. */
let shipped: Synonyms | undefined

function readGroups(own: string): Synonyms {
  /** Related stems by language and stem. Between languages only whole words match: stems of two languages are alike by chance. */
  const near = new Map<string, Map<string, number>>()
  const link = (key: string, stem: string, weight: number) => {
    const likeWords = near.get(key) ?? new Map<string, number>()
    likeWords.set(stem, Math.max(likeWords.get(stem) ?? 0, weight))
    near.set(key, likeWords)
  }
  for (const line of `${SHIPPED}\n${own}`.split('\n')) {
    const columns = line.slice(0, LONGEST_GROUP).replace(/#.*/s, '').split('|')
    const meanings = columns.flatMap((column, index) => {
      // A line without columns, in the file of a folder, may hold words of any language.
      const languages = columns.length === 1 ? COLUMNS : [COLUMNS[index] ?? 'en']
      return column
        .toLowerCase()
        .normalize('NFC')
        .split(/[\s,;]+/)
        .filter((word) => word.length >= FEWEST_LETTERS)
        .map((same) => {
          const words = same.split('=')
          const forms = words.flatMap((word) =>
            languages.map((language) => ({ language, stem: stemOf(word, language) })),
          )
          const keys = [
            ...words.map((word) => keyOf(word)),
            ...forms.map(({ language, stem }) => keyOf(stem, language)),
          ]
          return { keys: [...new Set(keys)], stems: [...new Set(forms.map(({ stem }) => stem))] }
        })
    })
    for (const one of meanings)
      for (const other of meanings)
        for (const key of one.keys)
          for (const stem of other.stems) link(key, stem, one === other ? SAME : NEAR)
  }
  return {
    of: (word, language) =>
      near.get(keyOf(stemOf(word, language), language)) ?? near.get(keyOf(word)) ?? NONE,
  }
}

const NONE: ReadonlyMap<string, number> = new Map()
const keyOf = (text: string, language?: Language): string => `${language ?? ''} ${text}`
