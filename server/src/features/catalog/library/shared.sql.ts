import { sql } from 'kysely'

/** What the library and its copies both say, of a row of either. @param at the alias of its table */
export const sharedOf = (at: 'i' | 'p') => {
  const column = (name: string) => sql.ref(`${at}.${name}`)
  return sql`jsonb_build_object('name', ${column('name')}, 'brand', ${column('brand')},
    'specification', ${column('specification')}, 'unit', ${column('unit')},
    'manufacturer', ${column('manufacturer')}, 'picture', ${column('picture')},
    'pictures', to_jsonb(${column('pictures')}), 'remark', ${column('remark')})`
}

/** An item that is offered to all, as `i`. */
export const isOffered = sql<boolean>`i.state = 'checked' and i.merged_into is null`
