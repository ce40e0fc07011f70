import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A database with rights to make others, and the name of the migrated one that tests are cloned from. */
    testDatabase: { url: string; template: string }
  }
}

type TestDatabase = { url: string; drop: () => Promise<void> }

/** A migrated, empty database of one's own, cloned from the template that the test run made once. */
export const freshDatabase = (): Promise<TestDatabase> => cloneOf(inject('testDatabase').template)

/** One in which nothing was ever made. */
export const bareDatabase = (): Promise<TestDatabase> => cloneOf('template0')

async function cloneOf(template: string): Promise<TestDatabase> {
  const { url } = inject('testDatabase')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await asAdmin(url, `create database ${name} template ${template} strategy file_copy`)
  const drop = () => asAdmin(url, `drop database if exists ${name} with (force)`)
  return { url: withSettings(databaseUrl(url, name), PLANS), drop }
}

/**
 * Plans are made once a connection, and here while its tables are empty and nobody will analyse them: as they are they
 * would read whole tables for the rest of the run, as no running network does. What a test asks it asks once or twice,
 * so a plan for what is asked is never worth its time.
 */
const PLANS = { enable_seqscan: 'off', jit: 'off', plan_cache_mode: 'force_generic_plan' }

/** The address with settings of PostgreSQL that each connection to it begins with. */
export function withSettings(url: string, settings: Record<string, string>): string {
  const at = new URL(url)
  const given = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const options = [at.searchParams.get('options') ?? [], given].flat().join(' ')
  at.searchParams.delete('options')
  // By hand, since libpq does not read a plus as a space.
  at.search += `${at.search ? '&' : '?'}options=${encodeURIComponent(options)}`
  return at.href
}

export async function asAdmin(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

export function databaseUrl(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}
