import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../db/tables'
import type { AuthKeys } from '../kernel/context'
import { onceSetting } from '../kernel/settings'
import { type GivenKeys, StartError } from './config'

const names = ['auth', 'salt', 'fake', 'device'] as const
const key = z.base64().transform((text) => Buffer.from(text, 'base64'))
const keyFile = z.object({ id: z.string().min(8), auth: key, salt: key, fake: key, device: key })

/**
 * The keys that the database alone must not hold: as they were given, else of `dataDir`, where they are made on the
 * first start, readable by this user only.
 */
export function openKeys(dataDir: string, given?: GivenKeys): AuthKeys {
  const parsed = keyFile.safeParse(parsedJson(keysText(dataDir, given) ?? makeKeys(join(dataDir, KEYS))))
  if (!parsed.success || names.some((name) => parsed.data[name].length !== 32)) {
    const place = placeOf(dataDir, given)
    throw new StartError(`${place} is damaged. Put a copy of it back: without these keys nobody can sign in.`)
  }
  return parsed.data
}

const KEYS = 'keys.json'

/**
 * The text of the key file; null where `dataDir` has none yet. Keys in a variable may be in base64, since not
 * everything that sets variables takes quotes.
 * @throws StartError where there is nothing at the place that was named
 */
export function keysText(dataDir: string, given?: GivenKeys): string | null {
  if (!given) return textOf(join(dataDir, KEYS))
  if ('text' in given) return given.text.startsWith('{') ? given.text : Buffer.from(given.text, 'base64').toString()
  const text = textOf(given.file)
  if (text === null) throw new StartError(`AISLE_KEYS_FILE: there is no ${given.file}.`)
  return text
}

const placeOf = (dataDir: string, given?: GivenKeys): string =>
  !given ? join(dataDir, KEYS) : 'text' in given ? 'AISLE_KEYS' : given.file

/**
 * A database remembers which keys it was set up with: with others every password would be wrong, and nobody would
 * know why.
 */
export async function checkKeys(db: Kysely<Tables>, keys: AuthKeys, from: Place): Promise<void> {
  if ((await onceSetting(db, 'keys.id', keys.id)) === keys.id) return
  throw new StartError(
    `The database was set up with other keys than ${placeOf(from.dataDir, from.keys)}. ` +
      'Copy keys.json from the DATA_DIR of the server that set it up; with these keys nobody could sign in.',
  )
}

type Place = { dataDir: string; keys?: GivenKeys | undefined }

/** Linked into place whole, so that of two servers that start at once both read the same keys. */
function makeKeys(file: string): string {
  mkdirSync(dirname(file), { recursive: true })
  const secrets = names.map((name) => [name, randomBytes(32).toString('base64')])
  const text = JSON.stringify({ id: randomBytes(9).toString('hex'), ...Object.fromEntries(secrets) }, null, 2)
  const fresh = `${file}.${process.pid}`
  writeFileSync(fresh, text, { mode: 0o600, flush: true })
  try {
    linkSync(fresh, file)
    return text
  } catch (cause) {
    const theirs = textOf(file)
    if (theirs === null) throw cause
    return theirs
  } finally {
    rmSync(fresh, { force: true })
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null
    throw cause
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
