// A year of conversations that nobody had: projects, environments, channels and variants in uneven shares,
// two languages, what was said, and what hangs on it. Written by SQL, the same ones each time.

import { dictionaryOf, folded } from '../../src/runtime/conversations/search/language.ts'
import { offlineEmbeddings } from '../../src/runtime/conversations/semantic/offline-embeddings.ts'
import type { Database } from '../../src/runtime/database/index.ts'

export const PROJECT = 'PROJECT-main0001'
export const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS

export type Size = {
  conversations: number
  /** The newest so many have events and vectors. */
  recent: number
  /** Conversations that one statement writes. */
  batch: number
  /** Statements at once. */
  atOnce: number
}

/** Earlier words are said more often. */
const ENGLISH =
  'the my order please is I you delivery can your parcel and to when for a where with we today help thanks address change account bicycle chain number tomorrow invoice size colour bill return customer broken waiting repair store open morning week street phone card booking table seats window evening cancel ticket train luggage hotel room breakfast towel garden shovel lamp cable charger battery screen button password reset letter stamp courier depot van driver neighbour bell door roof ladder paint brush bucket helmet glove saddle wheel brake pedal pump tyre lock key light mirror basket trailer bottle jacket shoes socks winter summer spring autumn discount voucher gift receipt refund warranty claim damage scratch photo manager complaint apology patience weekend holiday calendar reminder'.split(
    ' ',
  )
const GERMAN =
  'die meine Bestellung bitte ist ich Sie Lieferung können Ihre Paket und zu wann für ein wo mit wir heute Hilfe danke Adresse ändern Konto Fahrrad Kette Nummer morgen Rechnung Größe Farbe Betrag zurück Kunde kaputt warten Werkstatt Laden geöffnet früh Woche Straße Telefon Karte Buchung Tisch Plätze Fenster abends stornieren Fahrkarte Zug Gepäck Hotel Zimmer Frühstück Handtuch Garten Schaufel Lampe Kabel Ladegerät Akku Bildschirm Knopf Kennwort zurücksetzen Brief Marke Bote Lager Wagen Fahrer Nachbar Klingel Tür Dach Leiter Farbeimer Pinsel Eimer Helm Handschuh Sattel Rad Bremse Pedal Pumpe Reifen Schloss Schlüssel Licht Spiegel Korb Anhänger Flasche Jacke Schuhe Socken Winter Sommer Frühling Herbst Rabatt Gutschein Geschenk Beleg Erstattung Garantie Anspruch Schaden Kratzer Foto Leitung Beschwerde Entschuldigung Geduld Wochenende Feiertag Kalender Erinnerung'.split(
    ' ',
  )

/** And words of two words, which are rare. */
const withCompounds = (words: readonly string[]) => [
  ...words,
  ...words.slice(-30).flatMap((one) => words.slice(-30).map((other) => one + other.toLowerCase())),
]

const GROWING = ['conversation', 'turn', 'transcript', 'embedding', 'session', 'event', 'handoff', 'call']
const EMBEDDED_AT_ONCE = 1_000

const arrayOf = (words: readonly string[]) => `{${words.join(',')}}`

/** Letters that `folded` changes in these words, for `translate` to do the same. */
const ACCENTED = [...new Set(GERMAN.join('').toLowerCase())].filter((letter) => folded(letter) !== letter)

const FUNCTIONS = `
  CREATE SCHEMA bench;
  CREATE FUNCTION bench.chance(i bigint, salt integer) RETURNS double precision LANGUAGE sql IMMUTABLE AS
    $$ SELECT (hashint8extended(i, salt) & 2147483647) / 2147483648.0::double precision $$;
  CREATE FUNCTION bench.id(i bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT md5('conversation ' || i)::uuid::text $$;
  CREATE FUNCTION bench.say(i bigint, salt integer, n integer, words text[]) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT string_agg(words[1 + floor(power(bench.chance(i, salt + w), 4) * cardinality(words))::integer], ' ')
       FROM generate_series(1, n) AS w $$;
  CREATE TABLE bench.plan (i bigint PRIMARY KEY, id text, language text, started_at timestamptz, ended_at timestamptz,
    channel text, turns integer, variant integer);
`

const PLAN = `
  INSERT INTO bench.plan
  SELECT i, bench.id(i), CASE WHEN bench.chance(i, 1) < 0.7 THEN 'en-GB' ELSE 'de-DE' END, at,
    CASE WHEN i <= $3::bigint * 0.99 OR bench.chance(i, 2) >= 0.1
      THEN at + interval '20 s' - ln(1 - bench.chance(i, 3)) * interval '4 min' END,
    CASE WHEN k < 0.6 THEN 'WEBCHAT' WHEN k < 0.95 THEN 'VOICE-SIP' WHEN k < 0.99 THEN 'SMS' ELSE 'RCS' END,
    2 + floor(bench.chance(i, 4) * 3)::integer,
    CASE WHEN v < 0.5 THEN 1 WHEN v < 0.8 THEN 2 WHEN v < 0.95 THEN 3 ELSE 4 END
  FROM (SELECT i, bench.chance(i, 5) AS k, bench.chance(i, 6) AS v,
      date_trunc('milliseconds', $4::timestamptz - ($3::bigint - i + bench.chance(i, 7)) * $5::double precision * interval '1 ms') AS at
    FROM generate_series($1::bigint, $2::bigint) AS i) AS drawn`

const CONVERSATIONS = `
  INSERT INTO foyer.conversation (id, account_id, project_id, variant_id, variant_name, environment, channel,
    from_number, to_number, language, started_at, ended_at, num_turns, latency_sum, latency_count, handoff,
    handoff_reason, handoff_destination, metrics, state)
  SELECT id, 'ws-bench001',
    CASE WHEN p < 0.65 THEN '${PROJECT}' WHEN p < 0.85 THEN 'PROJECT-othr0001' WHEN p < 0.95 THEN 'PROJECT-othr0002'
      ELSE 'PROJECT-othr0003' END,
    'VAR-' || variant, 'Variant ' || variant,
    CASE WHEN e < 0.9 THEN 'live' WHEN e < 0.98 THEN 'sandbox' ELSE 'pre-release' END, channel,
    CASE WHEN channel = 'WEBCHAT' THEN '' ELSE '+1555' || lpad(floor(bench.chance(i, 10) * $3::bigint / 4)::text, 7, '0') END,
    CASE WHEN channel = 'WEBCHAT' THEN '' ELSE '+15005550006' END,
    language, started_at, ended_at, turns, turns * 1.2, turns, h < 0.03,
    CASE WHEN h < 0.03 THEN 'asked for a person' ELSE '' END, CASE WHEN h < 0.03 THEN 'support' ELSE '' END,
    CASE WHEN h < 0.5 THEN '{"resolved": "yes"}'::jsonb ELSE '{}' END,
    jsonb_build_object('step', 'done', 'visits', i % 7)
  FROM (SELECT *, bench.chance(i, 8) AS p, bench.chance(i, 9) AS e, bench.chance(i, 11) AS h FROM bench.plan
    WHERE i BETWEEN $1 AND $2) AS drawn`

/** What is said holds a number that only some others have. */
const TURNS = `
  WITH said AS MATERIALIZED (
    SELECT i, id, position, language, started_at + position * interval '20 s' AS at,
      bench.say(i, position * 100, 3 + (bench.chance(i, position) * 9)::integer, words)
        || CASE WHEN position = 1 THEN ' KD' || floor(bench.chance(i, 12) * $3::bigint / 5) ELSE '' END AS input,
      bench.say(i, position * 100 + 50, 6 + (bench.chance(i, position + 20) * 14)::integer, words) AS response
    FROM (SELECT *, CASE WHEN language = 'en-GB' THEN $4::text[] ELSE $5::text[] END AS words FROM bench.plan) AS p,
      generate_series(1, turns) AS position
    WHERE i BETWEEN $1 AND $2),
  turns AS (
    INSERT INTO foyer.turn (conversation_id, position, cause, user_input, user_input_at, agent_response,
      agent_response_at, latency)
    SELECT id, position, position * 2 - 1, input, at, response, at + interval '1200 ms', 1.2 FROM said)
  INSERT INTO foyer.transcript (conversation_id, config, dated, words)
  SELECT id, config, true,
    setweight(to_tsvector(config::regconfig, input), 'A') || setweight(to_tsvector('simple', translate(lower(input), $6, $7)), 'A') ||
    setweight(to_tsvector(config::regconfig, response), 'B') || setweight(to_tsvector('simple', translate(lower(response), $6, $7)), 'B') ||
    (SELECT foyer.transcript_days(project_id, environment, started_at) FROM foyer.conversation AS c WHERE c.id = whole.id)
  FROM (SELECT id, CASE WHEN language = 'en-GB' THEN '${dictionaryOf('en-GB')}' ELSE '${dictionaryOf('de-DE')}' END AS config,
      string_agg(input, ' ' ORDER BY position) AS input, string_agg(response, ' ' ORDER BY position) AS response
    FROM said GROUP BY id, language) AS whole`

const SESSIONS = `
  INSERT INTO foyer.session (id, family, token_id, platform, streaming, mode, idle_since, next_sequence, last_input,
    answered)
  SELECT p.id, CASE p.channel WHEN 'WEBCHAT' THEN 'chat' WHEN 'VOICE-SIP' THEN 'voice' ELSE 'messaging' END,
    CASE WHEN p.channel = 'WEBCHAT' THEN '' END, CASE WHEN p.channel = 'WEBCHAT' THEN 'web' END, true,
    CASE WHEN p.ended_at IS NULL AND c.handoff THEN 'queued' ELSE 'agent' END,
    CASE WHEN p.ended_at IS NULL AND NOT c.handoff THEN p.started_at + interval '1 min' END,
    p.turns * 2 + 1, p.turns * 2 - 1, p.turns * 2
  FROM bench.plan AS p JOIN foyer.conversation AS c ON c.id = p.id WHERE p.i BETWEEN $1 AND $2`

const HANDOFFS = `
  INSERT INTO foyer.handoff (conversation_id, project_id, shared_id, data, created_at, queued_at, taken_at)
  SELECT c.id, c.project_id, 'shared-' || p.i, '{}', c.started_at, c.started_at,
    CASE WHEN p.ended_at IS NOT NULL THEN c.started_at + interval '40 s' END
  FROM bench.plan AS p JOIN foyer.conversation AS c ON c.id = p.id WHERE p.i BETWEEN $1 AND $2 AND c.handoff`

const CALLS = `
  INSERT INTO foyer.call (sid, conversation_id, account_id, project_id, connector_id, environment, to_number,
    metadata, encryption, status, created_at, ended_at)
  SELECT 'CA' || p.i, p.id, c.account_id, c.project_id, 'CON-bench001', c.environment, c.from_number, '{}', 'none',
    'success', p.started_at, p.started_at + interval '1 min'
  FROM bench.plan AS p JOIN foyer.conversation AS c ON c.id = p.id
  WHERE p.i BETWEEN $1 AND $2 AND p.channel = 'VOICE-SIP' AND bench.chance(p.i, 13) < 0.1`

const EVENTS = `
  INSERT INTO foyer.event (session_id, sequence, id, type, payload, created_at)
  SELECT t.conversation_id, (t.position - 1) * 2 + side, md5(t.conversation_id || t.position || side),
    CASE side WHEN 1 THEN 'EVENT_TYPE_USER_MESSAGE' ELSE 'EVENT_TYPE_POLY_AGENT_MESSAGE' END,
    jsonb_build_object('text', CASE side WHEN 1 THEN t.user_input ELSE t.agent_response END), t.user_input_at
  FROM bench.plan AS p JOIN foyer.turn AS t ON t.conversation_id = p.id, generate_series(1, 2) AS side
  WHERE p.i BETWEEN $1 AND $2`

/** Fills a database that has the schema and nothing in it. The newest conversation began at `now`. */
export async function seed(
  database: Database,
  { conversations: n, recent, batch, atOnce }: Size,
  now: Date,
  log: (line: string) => void,
): Promise<void> {
  const indexes = await database.query<{ name: string; sql: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS sql FROM pg_index AS i
     JOIN pg_class AS c ON c.oid = i.indrelid JOIN pg_namespace AS s ON s.oid = c.relnamespace
     WHERE s.nspname = 'foyer' AND NOT i.indisunique
       AND c.relname IN (SELECT jsonb_array_elements_text($1::jsonb))`,
    [JSON.stringify(GROWING)],
  )
  for (const { name } of indexes) await database.query(`DROP INDEX ${name}`)
  await database.script(FUNCTIONS)
  const [user] = await database.query<{ usesuper: boolean }>(
    'SELECT usesuper FROM pg_user WHERE usename = current_user',
  )
  const [from, to] = [ACCENTED.join(''), ACCENTED.map(folded).join('')]
  const words = [arrayOf(withCompounds(ENGLISH)), arrayOf(withCompounds(GERMAN))]

  async function write(first: number, last: number): Promise<void> {
    await database.transaction(async (tx) => {
      // References are right by construction: looking each of them up takes as long as all the rest.
      if (user?.usesuper) await tx.query("SELECT set_config('session_replication_role', 'replica', true)")
      await tx.query(PLAN, [first, last, n, now.toISOString(), YEAR_MS / n])
      await tx.query(CONVERSATIONS, [first, last, n])
      await tx.query(TURNS, [first, last, n, ...words, from, to])
      for (const sql of [SESSIONS, HANDOFFS, CALLS]) await tx.query(sql, [first, last])
      if (last > n - recent) await tx.query(EVENTS, [Math.max(first, n - recent + 1), last])
    })
  }
  const batches = Array.from({ length: Math.ceil(n / batch) }, (_, index) => index * batch + 1)
  let written = 0
  let told = 0
  const worker = async () => {
    for (let first = batches.shift(); first !== undefined; first = batches.shift()) {
      const last = Math.min(first + batch - 1, n)
      await write(first, last)
      written += last - first + 1
      if (written - told >= n / 10 || written === n) {
        told = written
        log(`  ${written} of ${n} conversations written`)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  await embed(database, n - recent + 1, n)
  log(`  ${recent} of them have vectors`)
  for (const { sql } of indexes) await database.query(sql)
  log('  indexes made')
  await database.script('DROP SCHEMA bench CASCADE')
  await database.query('VACUUM ANALYZE')
}

async function embed(database: Database, first: number, last: number): Promise<void> {
  for (let at = first; at <= last; at += EMBEDDED_AT_ONCE) {
    const texts = await database.query<{ id: string; text: string }>(
      `SELECT p.id, string_agg(t.user_input || ' ' || t.agent_response, ' ' ORDER BY t.position) AS text
       FROM bench.plan AS p JOIN foyer.turn AS t ON t.conversation_id = p.id
       WHERE p.i BETWEEN $1 AND $2 GROUP BY p.id`,
      [at, Math.min(at + EMBEDDED_AT_ONCE - 1, last)],
    )
    const vectors = await offlineEmbeddings.embed(texts.map(({ text }) => text))
    const rows = texts.map(({ id }, index) => ({ id, numbers: vectors[index] }))
    await database.query(
      `INSERT INTO foyer.embedding (conversation_id, model, numbers)
       SELECT id, $1, numbers FROM jsonb_to_recordset($2::jsonb) AS r (id text, numbers real[])`,
      [offlineEmbeddings.model, JSON.stringify(rows)],
    )
  }
}
