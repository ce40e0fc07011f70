import type { CallOf, Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { Entity } from '@aisle/contract/kernel/entity'
import type { ComponentType } from 'react'
import { useEndpoint } from '../live/query'
import { Facts } from '../ui/facts'
import { type Namespace, useText, type Vars } from '../ui/text'
import { CommandButton } from './CommandButton'
import type { ListPage } from './declaration'
import { kindOf } from './fields/kinds'
import type { InputProps } from './form/input'
import { MerchantInput } from './form/RefInput'
import type { WriteEndpoint } from './form/useForm'
import type { Values } from './form/schema'
import { RemoveButton } from './RemoveButton'
import { type DrawerRow, RowDrawer } from './RowDrawer'
import type { ListEndpoint } from './useList'

type Row = Readonly<Record<string, unknown>>

type Declared<L extends ListEndpoint, G extends Endpoint> = {
  of: Entity
  list: L
  get: G
  add: WriteEndpoint
  edit: WriteEndpoint
  /** By the verb of its states. */
  moves?: Readonly<Record<string, WriteEndpoint>>
  remove: WriteEndpoint
  /** What only its form has. */
  inputs?: Readonly<Record<string, ComponentType<InputProps>>>
  /** Whether deleting it is worth a try; the server looks for what uses it. */
  isUnused?: (row: OutputOf<G>) => boolean
}

/** The name in the catalog of what an endpoint does: `addHospital` of `fleet.addHospital`. */
const verbOf = ({ name }: Endpoint) => name.slice(name.indexOf('.') + 1)

const isWord = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'
const wordsOf = (row: Row): Vars =>
  Object.fromEntries(Object.entries(row).filter((entry): entry is [string, string | number] => isWord(entry[1])))

/**
 * What a person does with a plain thing (contract/kernel/entity.ts): the button that adds one, its verbs, a drawer of
 * all that is known of it, and the declaration of its list. A page may put a drawer of its own in its place.
 */
export function record<L extends ListEndpoint, G extends Endpoint>(declared: Declared<L, G>) {
  const { of, list, get } = declared
  const words = of.domain as Namespace
  type Page = ListPage<L>
  const named = Object.keys(of.item.shape).filter((name) => of.sorts.includes(name))
  const orders = Object.fromEntries(named.map((name) => [name, name]))
  const Verbs = ({ row }: { row: OutputOf<G> }) => <RowVerbs declared={declared} row={row} />

  function RecordDrawer({ id }: DrawerRow) {
    const result = useEndpoint(get, { id } as CallOf<G>, { errors: 'throw' })
    return (
      <RowDrawer result={result} title={(row) => String((row as Row).name)} actions={(row) => <Verbs row={row} />}>
        {(row) => <AllFacts of={of} row={row as Row} />}
      </RowDrawer>
    )
  }

  return {
    Verbs,
    /** Which columns and filters a person sees first. Orders by a column of the same name go without saying. */
    page: (page: Omit<Page, 'screen' | 'list' | 'fields' | 'words' | 'actions' | 'live'>) => ({
      list,
      fields: of.fields,
      words,
      actions: () => <Add declared={declared} />,
      drawer: RecordDrawer,
      live: { kinds: [of.kind], also: [get] },
      ...page,
      sortable: { ...orders, ...page.sortable } as Page['sortable'],
    }),
  }
}

const formOf = <L extends ListEndpoint, G extends Endpoint>({ of, inputs }: Declared<L, G>) => ({
  fields: of.fields,
  inputs: { merchantId: MerchantInput, ...inputs },
})

function Add<L extends ListEndpoint, G extends Endpoint>({ declared }: { declared: Declared<L, G> }) {
  const { of, add, list, get } = declared
  const t = useText(of.domain as Namespace)
  const names = [...(of.owner === 'merchant' ? ['merchantId'] : []), ...Object.keys(of.editable)]
  const common = { t, names, endpoint: add, changes: [list, get] }
  return <CommandButton {...common} {...formOf(declared)} verb={verbOf(add)} tone="main" />
}

function RowVerbs<L extends ListEndpoint, G extends Endpoint>(props: { declared: Declared<L, G>; row: OutputOf<G> }) {
  const { declared, row } = props
  const { of, list, get, edit, moves = {}, remove, isUnused } = declared
  const t = useText(of.domain as Namespace)
  const facts = row as Row
  const names = Object.keys(of.editable)
  const target: Values = { id: facts.id }
  const common = { t, changes: [list, get], vars: wordsOf(facts) }
  return (
    <>
      <CommandButton
        {...common}
        {...formOf(declared)}
        endpoint={edit}
        verb={verbOf(edit)}
        target={{ ...target, version: facts.version }}
        names={names}
        initial={Object.fromEntries(names.map((name) => [name, facts[name]]))}
      />
      {Object.entries(moves).map(([verb, endpoint]) => {
        const move = of.states?.table.moves[verb]
        return (
          <CommandButton
            key={verb}
            {...common}
            endpoint={endpoint}
            verb={verbOf(endpoint)}
            target={target}
            tone={move?.to === of.states?.table.initial ? 'main' : 'danger'}
            isEnabled={move?.from.includes(String(facts.state)) ?? false}
          />
        )
      })}
      <RemoveButton
        {...common}
        endpoint={remove}
        verb={verbOf(remove)}
        target={target}
        isEnabled={isUnused?.(row) ?? true}
        changes={[list]}
      />
    </>
  )
}

function AllFacts({ of, row }: { of: Entity; row: Row }) {
  const t = useText(of.domain as Namespace)
  const known = Object.entries(of.fields).filter(([name]) => row[name] !== '' && row[name] !== null)
  const facts = known.map(([name, field]) => {
    const { Cell } = kindOf(field)
    return { label: t.any(`field.${name}`), value: <Cell value={row[name]} field={field} t={t} row={row} /> }
  })
  return <Facts facts={facts} />
}
