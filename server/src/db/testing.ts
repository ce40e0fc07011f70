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
  return { url: databaseUrl(url, name), drop: () => asAdmin(url, `drop database if exists ${name} with (force)`) }
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
