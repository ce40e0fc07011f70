import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import type { Fields } from '@aisle/contract/kernel/field'
import { screenOf } from '@aisle/contract/screens'
import { type ComponentType, createContext, useRef, useState } from 'react'
import { z } from 'zod'
import { call } from '../live/call'
import { CallFailure } from '../live/failure'
import { refetch } from '../live/query'
import { can } from '../live/session'
import { Dialog, DialogButtons } from '../ui/feedback/dialog'
import { toast } from '../ui/feedback/notice'
import { type Text, useText } from '../ui/text'
import { placed } from './address'
import { AppLink } from './appLink'
import { countText } from './fields/number'
import { useFocusFault } from './form/focus'
import { cancelledWord } from './form/kindOfWrite'
import { FormBody } from './form/formBody'
import type { InputProps } from './form/input'
import type { Values } from './form/schema'
import { useForm, type WriteEndpoint } from './form/useForm'
import type { Selection } from './selection'
import type { ListAddress } from './useAddress'
import { type ListEndpoint, readRows, type Row, type RowId, useWhole } from './useList'
import styles from './list.module.css'
import formStyles from './form/form.module.css'

/** A verb that takes `{ id }` is called row by row; one that takes `{ ids }`, once. */
export type BatchVerb<R extends Row = Row> = {
  endpoint: WriteEndpoint
  verb: string
  tone?: 'main' | 'danger'
  /** Rows that it does not fit are left out, and the person is told how many. */
  can?: (row: R) => boolean
  fields?: Fields
  inputs?: Readonly<Record<string, ComponentType<InputProps>>>
  /** Before it is sent: what would come of it for these rows, as the form is filled in. */
  preview?: ComponentType<{ rows: readonly R[]; values: Values }>
  /** In place of the list of outcomes, where what came of it is known later: the answer says where to look. */
  after?: ComponentType<{ rows: readonly R[]; answer: unknown }>
}

/** What is ticked, for an input that asks something of each row. */
export const BatchRowsContext = createContext<readonly Row[]>([])

/** A verb whose form stands on another screen, which is opened with the ticked rows in its address. */
export type BatchLead<R extends Row = Row> = {
  verb: string
  screen: string
  search: (rows: readonly R[]) => Record<string, string>
}

/** `isDone` is undefined of what was taken and is not done yet. */
type Outcome = { isDone: boolean | undefined; text: string }

/** What may be done with the rows that are ticked. */
export function BatchBar<R extends Row>(props: {
  verbs: readonly BatchVerb<R>[]
  leads: readonly BatchLead<R>[]
  selection: Selection<R>
  t: Text
  changes: readonly Endpoint[]
  list: ListEndpoint
  address: ListAddress
}) {
  const { verbs, leads, selection, t, changes, list, address } = props
  const kit = useText('admin')
  const [open, setOpen] = useState<BatchVerb<R> | null>(null)
  return (
    <div className={styles.batch} role="group" aria-label={kit('batch')}>
      <span>{kit('batch.chosen', { count: selection.chosen.length })}</span>
      {selection.whole === 'all' && <ChooseWhole {...{ list, address, selection }} />}
      {verbs
        .filter(({ endpoint }) => can(endpoint.access))
        .map((each) => {
          const fits = selection.chosen.some((row) => each.can?.(row) ?? true)
          const why = fits ? undefined : t.or(`verb.${each.verb}.not`, kit('batch.none'))
          return (
            <button
              key={each.verb}
              type="button"
              className="btn"
              aria-disabled={!fits}
              data-hint={why}
              onClick={() => fits && setOpen(each)}
            >
              {t.any(`verb.${each.verb}`)}
              {why && <small> · {why}</small>}
            </button>
          )
        })}
      {leads
        .map((lead) => ({ ...lead, ...screenOf(lead.screen) }))
        .filter(({ access }) => can(access))
        .map(({ verb, path, search }) => (
          <AppLink key={verb} path={path} search={search(selection.chosen)} className="btn">
            {t.any(`verb.${verb}`)}
          </AppLink>
        ))}
      <button type="button" className="btn-plain" onClick={selection.clear}>
        {kit('batch.clear')}
      </button>
      {open && <BatchDialog batch={open} selection={selection} t={t} changes={changes} onClose={() => setOpen(null)} />}
    </div>
  )
}

/** A verb is shown what it does to each of these, one by one. */
const MOST_CHOSEN = 500

/** All that the filter leaves, also what stands on other pages. */
function ChooseWhole<R extends Row>(props: { list: ListEndpoint; address: ListAddress; selection: Selection<R> }) {
  const { list, address, selection } = props
  const kit = useText('admin')
  const [isBusy, setBusy] = useState(false)
  const { data } = useWhole(list, address.query)
  const total = Math.min(data?.total ?? MOST_CHOSEN, MOST_CHOSEN)
  if (!data || selection.chosen.length >= total) return null
  const choose = async () => {
    setBusy(true)
    const found = await readRows(list, placed(address.query, {}), MOST_CHOSEN).finally(() => setBusy(false))
    selection.add(found as R[])
  }
  const word = data.total === total ? 'batch.whole' : 'batch.wholeMost'
  return (
    <button type="button" className="btn-plain" disabled={isBusy} onClick={() => void choose()}>
      {isBusy ? kit('batch.wholeTaking') : kit(word, { total: countText(total) })}
    </button>
  )
}

function BatchDialog<R extends Row>(props: {
  batch: BatchVerb<R>
  selection: Selection<R>
  t: Text
  changes: readonly Endpoint[]
  onClose: () => void
}) {
  const { batch, selection, t, changes, onClose } = props
  const { endpoint, verb, tone = 'main', fields, inputs, preview: Preview, after: After } = batch
  const kit = useText('admin')
  const holder = useRef<HTMLDivElement>(null)
  // What was ticked when it was asked: the rows change while the verb runs over them.
  const [rows] = useState(() => selection.chosen.filter((row) => batch.can?.(row) ?? true))
  const [outcomes, setOutcomes] = useState<ReadonlyMap<RowId, Outcome> | null>(null)
  const [answer, setAnswer] = useState<unknown>(null)
  const target = 'ids' in endpoint.input.shape ? { ids: rows.map(({ id }) => id) } : { id: rows[0]?.id }
  const spec = { endpoint, target, t, ...(fields ? { fields } : {}), ...(inputs ? { inputs } : {}) }
  const form = useForm(spec, () => undefined)
  const failed = useFocusFault(holder, null)
  const title = t.any(`verb.${verb}`)
  const left = selection.chosen.length - rows.length
  const run = async () => {
    if (outcomes || rows.length === 0) return
    if (!form.check()) return failed()
    const tell = (id: RowId, outcome: Outcome) => setOutcomes((before) => new Map(before).set(id, outcome))
    setOutcomes(new Map())
    const typed = form.payload as Record<string, unknown>
    await runOver({ endpoint, rows, typed, done: kit('batch.done'), t }, tell, setAnswer)
    await refetch(...changes)
  }
  const isOver = outcomes !== null && outcomes.size === rows.length
  const close = () => {
    if (isOver) selection.clear()
    if (!outcomes && tone === 'danger') toast('info', kit(cancelledWord(endpoint)))
    onClose()
  }
  return (
    <Dialog
      title={title}
      onSubmit={() => void run()}
      onCancel={close}
      actions={
        <DialogButtons
          {...{ tone, isOver }}
          onCancel={close}
          send={title}
          isBusy={outcomes !== null || rows.length === 0}
        />
      }
    >
      {!outcomes && <p>{t.any(`verb.${verb}.batch`, { count: rows.length })}</p>}
      {!outcomes && left > 0 && <p className="quiet">{kit('batch.left', { count: left })}</p>}
      {!outcomes && (
        <div ref={holder} className={formStyles.body}>
          <BatchRowsContext value={rows}>
            <FormBody spec={spec} form={form} isFirstFocused />
          </BatchRowsContext>
          {Preview && <Preview rows={rows} values={form.values} />}
        </div>
      )}
      {After && answer !== null && <After rows={rows} answer={answer} />}
      {outcomes && !(After && answer !== null) && (
        <Outcomes rows={rows} outcomes={outcomes} nameOf={selection.nameOf} />
      )}
    </Dialog>
  )
}

function Outcomes<R extends Row>(props: {
  rows: readonly R[]
  outcomes: ReadonlyMap<RowId, Outcome>
  nameOf: (row: R) => string
}) {
  const { rows, outcomes, nameOf } = props
  const kit = useText('admin')
  const count = (of: boolean | undefined) => [...outcomes.values()].filter(({ isDone }) => isDone === of).length
  const [done, failed, taken] = [count(true), count(false), count(undefined)]
  return (
    <>
      <p role="status">
        {kit('batch.progress', { done, failed, count: rows.length })}
        {taken > 0 && ` · ${kit('batch.taken', { count: taken })}`}
      </p>
      <ul className={styles.batchOutcomes}>
        {rows.map((row) => {
          const outcome = outcomes.get(row.id)
          return (
            <li key={row.id}>
              <span>{nameOf(row)}</span>
              <span className={outcome?.isDone === false ? 'fault' : 'quiet'}>
                {outcome?.text ?? kit('batch.waits')}
              </span>
            </li>
          )
        })}
      </ul>
    </>
  )
}

type Run<R extends Row> = {
  endpoint: WriteEndpoint
  rows: readonly R[]
  typed: Record<string, unknown>
  done: string
  t: Text
}

async function runOver<R extends Row>(
  run: Run<R>,
  tell: (id: RowId, outcome: Outcome) => void,
  hear: (answer: unknown) => void,
): Promise<void> {
  const { endpoint, rows, typed, done, t } = run
  const send = async (target: Record<string, unknown>): Promise<(id: RowId) => Outcome> => {
    try {
      const answer = await call(endpoint, { ...typed, ...target }, { errors: 'throw' })
      hear(answer)
      const told = outcomesIn(answer, t)
      return (id) => told.get(id) ?? { isDone: true, text: done }
    } catch (failure) {
      const text = failure instanceof CallFailure ? failure.message : String(failure)
      return () => ({ isDone: false, text })
    }
  }
  const { ids } = endpoint.input.shape
  if (ids) {
    const most = ids instanceof z.ZodArray ? mostOf(ids) : rows.length
    for (let at = 0; at < rows.length; at += most) {
      const part = rows.slice(at, at + most)
      const outcomeOf = await send({ ids: part.map(({ id }) => id) })
      for (const { id } of part) tell(id, outcomeOf(id))
    }
    return
  }
  for (const { id } of rows) tell(id, (await send({ id }))(id))
}

/** How many a verb takes at once; more go in several calls. */
const mostOf = (ids: z.ZodArray): number => Number(ids._zod.bag.maximum ?? MOST_CHOSEN)

const zOutcomes = z.object({
  outcomes: z.array(z.object({ id: z.union([z.number(), z.string()]), outcome: z.string() })),
})

/** What an answer says of each row: `done`, `queued`, or why not, worded as `outcome.<outcome>`. */
function outcomesIn(answer: unknown, t: Text): ReadonlyMap<RowId, Outcome> {
  const { data } = zOutcomes.safeParse(answer)
  return new Map(
    data?.outcomes.map(({ id, outcome }) => [
      id,
      { isDone: outcome === 'queued' ? undefined : outcome === 'done', text: t.any(`outcome.${outcome}`) },
    ]),
  )
}
