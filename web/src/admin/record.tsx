import type { CallOf, Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { Entity } from '@aisle/contract/kernel/entity'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { useEndpoint } from '../live/query'
import { Facts } from '../ui/facts'
import { Tag } from '../ui/tag'
import { type Namespace, useText, type Vars } from '../ui/text'
import { CommandButton } from './commandButton'
import type { ListPage } from './declaration'
import { kindOf } from './fields/kinds'
import { StateTags } from './fields/state'
import { MerchantInput } from './form/refInput'
import { isMissing } from './form/schema'
import type { FormShape, WriteEndpoint } from './form/useForm'
import { RemoveButton } from './removeButton'
import { type DrawerRow, RowDrawer } from './rowDrawer'
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
  /** What shows something of it besides: read again after each verb. */
  also?: readonly Endpoint[]
  /** Whether deleting it is worth a try; the server looks for what uses it. */
  isUnused?: (row: OutputOf<G>) => boolean
  /** What only its form has. */
} & Pick<FormShape, 'inputs' | 'without' | 'groups'>

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
  const { of, list, get, also = [] } = declared
  const shown = [list, get, ...also]
  const words = of.domain as Namespace
  type Page = ListPage<L>
  const orders = ordersOf(of)
  /** @param children verbs of its own */
  const Verbs = (props: { row: OutputOf<G>; children?: ReactNode }) => <RowVerbs {...{ declared, shown }} {...props} />

  /** @param tags states and kinds of it that stand below its name, and what is true of it */
  function Drawer(props: {
    id: number
    title?: (row: OutputOf<G>) => ReactNode
    tags?: readonly (keyof OutputOf<G> & string)[]
    verbs?: (row: OutputOf<G>) => ReactNode
    children: (row: OutputOf<G>) => ReactNode
  }) {
    const { id, title = (row) => String((row as Row).name), tags = [], verbs, children } = props
    const t = useText(words)
    const result = useEndpoint(get, { id } as CallOf<G>, { errors: 'throw' })
    const tag = (name: string, row: Row) =>
      row[name] === true ? (
        <Tag key={name} tone="good" word={t.any(`field.${name}`)} />
      ) : (
        <StateTags key={name} value={row[name]} field={of.fields[name]} t={t} />
      )
    return (
      <RowDrawer
        result={result}
        title={title}
        head={
          tags.length === 0
            ? undefined
            : (row) => <div className="tags">{tags.map((each) => tag(each, row as Row))}</div>
        }
        actions={(row) => <Verbs row={row}>{verbs?.(row)}</Verbs>}
      >
        {children}
      </RowDrawer>
    )
  }

  /** All that is known of it, so that a new column needs no word here. */
  const Known = (props: Omit<Knowing, 'of'>) => <AllFacts of={of} {...props} />
  const FactsDrawer = ({ id }: DrawerRow) => <Drawer id={id}>{(row) => <Known row={row as Row} />}</Drawer>

  return {
    Verbs,
    Drawer,
    Known,
    /** Read again after a verb of its own. */
    shown,
    /**
     * Which columns and filters a person sees first; all others stand ready behind them, so that a new one needs no
     * word here. Orders by a column of the same name go without saying.
     */
    page: (page: Omit<Page, 'screen' | 'list' | 'fields' | 'words' | 'actions' | 'live' | 'hidden'>) => ({
      list,
      fields: of.fields,
      words,
      actions: () => <Add {...{ declared, shown }} />,
      drawer: FactsDrawer,
      live: { kinds: [of.kind], also: [get, ...also] },
      ...page,
      columns: [...page.columns, ...(othersThan(of, page.columns) as Page['columns'])],
      hidden: othersThan(of, page.columns) as Page['columns'],
      sortable: { ...orders, ...page.sortable } as Page['sortable'],
    }),
  }
}

const ordersOf = ({ item, sorts }: Entity) =>
  Object.fromEntries(Object.keys(item.shape).flatMap((name) => (sorts.includes(name) ? [[name, name]] : [])))

const othersThan = (of: Entity, columns: readonly string[]): readonly string[] =>
  Object.keys(of.item.shape).filter((name) => name in of.fields && !columns.includes(name) && !isNamed(of, name))

/** The id of something else, or a word of a dictionary, is said by the name that stands beside it. */
const isNamed = ({ fields }: Entity, name: string): boolean => `${name.replace(/Id$/, '')}Name` in fields

/** Groups hold what is asked for when one is added; what is fixed then is left out when it is edited. */
const formOf = <L extends ListEndpoint, G extends Endpoint>(declared: Declared<L, G>, endpoint: WriteEndpoint) => {
  const { of, inputs, without, groups } = declared
  const isAsked = (name: string) => name in endpoint.input.shape
  return {
    fields: of.fields,
    inputs: { merchantId: MerchantInput, ...inputs },
    ...(without && { without }),
    ...(groups && { groups: groups.map(({ key, names }) => ({ key, names: names.filter(isAsked) })) }),
  }
}

/** What a new one begins with: what its shape falls back on, but for what is empty. */
const beginningOf = ({ editable }: Entity): Row =>
  Object.fromEntries(
    Object.entries(editable)
      .map(([name, type]) => [name, type instanceof z.ZodDefault ? type.def.defaultValue : undefined] as const)
      .filter(([, value]) => !isMissing(value)),
  )

type Acting<L extends ListEndpoint, G extends Endpoint> = { declared: Declared<L, G>; shown: readonly Endpoint[] }

function Add<L extends ListEndpoint, G extends Endpoint>({ declared, shown }: Acting<L, G>) {
  const { of, add } = declared
  const t = useText(of.domain as Namespace)
  const common = { t, endpoint: add, initial: beginningOf(of), changes: shown }
  return <CommandButton {...common} {...formOf(declared, add)} verb={verbOf(add)} tone="main" />
}

function RowVerbs<L extends ListEndpoint, G extends Endpoint>(
  props: Acting<L, G> & { row: OutputOf<G>; children?: ReactNode },
) {
  const { declared, shown, row, children } = props
  const { of, get, edit, moves = {}, remove, isUnused } = declared
  const t = useText(of.domain as Namespace)
  const facts = row as Row
  const target = { id: facts.id }
  const common = { t, changes: shown, vars: wordsOf(facts) }
  return (
    <>
      <CommandButton
        {...common}
        {...formOf(declared, edit)}
        endpoint={edit}
        verb={verbOf(edit)}
        target={{ ...target, version: facts.version }}
        initial={facts}
      />
      {children}
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
        changes={shown.filter((each) => each !== get)}
      />
    </>
  )
}

type Knowing = {
  of: Entity
  row: Row
  /** What says a field in words of its own; a field that is a list is said only here. */
  instead?: Readonly<Record<string, ReactNode>>
  /** What stands elsewhere on the page. */
  without?: readonly string[]
}

const isTable = (value: unknown) => Array.isArray(value) && typeof value[0] === 'object'

function AllFacts({ of, row, instead = {}, without = [] }: Knowing) {
  const t = useText(of.domain as Namespace)
  const isSaid = (name: string) =>
    !without.includes(name) && !isNamed(of, name) && (name in instead || (!isMissing(row[name]) && !isTable(row[name])))
  const facts = Object.entries(of.fields)
    .filter(([name]) => isSaid(name))
    .map(([name, field]) => {
      const { Cell } = kindOf(field)
      const value = instead[name] ?? <Cell value={row[name]} field={field} t={t} row={row} />
      return { label: t.any(`field.${name}`), value }
    })
  return <Facts facts={facts} />
}
