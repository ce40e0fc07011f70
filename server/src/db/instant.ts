import { type RawBuilder, sql } from 'kysely'

/** A column's instant as JSON says it, for rows that go out as they are. */
export const iso = (column: string): RawBuilder<unknown> => sql`to_json(${sql.ref(column)}) #>> '{}'`
