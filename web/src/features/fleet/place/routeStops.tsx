import { listMachines } from '@aisle/contract/fleet/machine'
import { getPoint } from '@aisle/contract/fleet/point'
import { getRoute, listRoutes, type RouteDetail, setStops, type Stop } from '@aisle/contract/fleet/route'
import { type DragEvent, type KeyboardEvent, useDeferredValue, useId, useRef, useState } from 'react'
import { countText } from '../../../admin/fields/number'
import { MachineLink } from '../../../admin/fields/ref'
import { refetch, useCommand, useEndpoint } from '../../../live/query'
import { can } from '../../../live/session'
import { Combobox } from '../../../ui/control/combobox'
import { Section } from '../../../ui/feedback/drawer'
import { Icon } from '../../../ui/icons'
import { toast } from '../../../ui/feedback/notice'
import { Tag } from '../../../ui/tag'
import { useText } from '../../../ui/text'
import styles from './routeStops.module.css'
import { isSameOrder, moved } from './routeStops.rules'
import { classes } from '../../../ui/classes'

type Planned = Pick<Stop, 'id' | 'code' | 'name' | 'pointName'> & Partial<Stop>

/** The machines in visiting order, put in order by dragging or with the keyboard, and saved as a whole. */
export function RouteStops({ route }: { route: RouteDetail }) {
  const t = useText('fleet')
  const [plan, setPlan] = useState<readonly Planned[]>(route.stops)
  const [said, setSaid] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const isChanged = !isSameOrder(plan, route.stops)
  const mayWrite = can(setStops.access)
  const whole = plan.reduce((sum, { missing = 0 }) => sum + missing, 0)
  const saving = useCommand(setStops, {
    onSuccess: () => {
      toast('good', t('route.stops.saved'))
      return refetch(getRoute, listRoutes, listMachines, getPoint)
    },
  })
  const move = (from: number, to: number) => {
    const next = moved(plan, from, to)
    const stop = plan[from]
    if (!stop || next[to] !== stop) return
    setPlan(next)
    setSaid(t('route.stop.moved', { code: stop.code, place: to + 1 }))
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-stop="${stop.id}"]`)?.focus())
  }
  const save = () => {
    if (!saving.isPending) saving.mutate({ id: route.id, version: route.version, ids: plan.map(({ id }) => id) })
  }
  return (
    <Section title={t('route.stops')} note={mayWrite ? t('route.stops.hint') : undefined}>
      {mayWrite && (
        <AddStop has={new Set(plan.map(({ id }) => id))} onAdd={(stop) => setPlan((before) => [...before, stop])} />
      )}
      {plan.length === 0 && <p className="quiet">{t('route.stops.none')}</p>}
      {whole > 0 && <p className="quiet">{t('route.missingWhole', { count: countText(whole) })}</p>}
      <ol className={styles.stops} ref={list}>
        {plan.map((stop, at) => (
          <StopLine
            key={stop.id}
            stop={stop}
            at={at}
            mayWrite={mayWrite}
            isNew={!route.stops.some(({ id }) => id === stop.id)}
            move={move}
            drop={() => setPlan(plan.filter(({ id }) => id !== stop.id))}
          />
        ))}
      </ol>
      <p className="hidden-text" role="status">
        {said}
      </p>
      {route.hiddenCount > 0 && <p className="quiet">{t('route.hidden', { count: route.hiddenCount })}</p>}
      {isChanged && (
        <div className={styles.bar}>
          <button type="button" className="btn" onClick={() => setPlan(route.stops)}>
            {t('route.stops.undo')}
          </button>
          <button type="button" className="btn btn-main" aria-disabled={saving.isPending} onClick={save}>
            {t('route.stops.save')}
          </button>
        </div>
      )}
    </Section>
  )
}

function AddStop({ has, onAdd }: { has: ReadonlySet<number>; onAdd: (stop: Planned) => void }) {
  const t = useText('fleet')
  const id = useId()
  const [text, setText] = useState<string | null>(null)
  const q = useDeferredValue((text ?? '').trim())
  const found = useEndpoint(
    listMachines,
    { ...(q ? { q } : {}), sort: 'code' },
    {
      errors: 'silent',
      enabled: text !== null,
      staleTime: 30_000,
    },
  )
  const machines = (found.data?.items ?? []).filter((each) => !has.has(each.id))
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        {t('route.stop.add')}
      </label>
      <Combobox
        id={id}
        label={t('route.stop.add')}
        word=""
        isBusy={found.isFetching}
        options={machines.map((each) => ({ value: each.id, word: `${each.code} ${each.name}`, note: each.city }))}
        onSearch={setText}
        onPick={(option) => {
          const machine = machines.find((each) => each.id === option?.value)
          if (machine) onAdd(machine)
        }}
      />
    </div>
  )
}

type LineProps = {
  stop: Planned
  at: number
  mayWrite: boolean
  isNew: boolean
  move: (from: number, to: number) => void
  drop: () => void
}

function StopLine({ stop, at, mayWrite, isNew, move, drop }: LineProps) {
  const t = useText('fleet')
  const { code } = stop
  const onKey = (event: KeyboardEvent) => {
    const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined
    if (!by) return
    event.preventDefault()
    move(at, at + by)
  }
  const onDrop = (event: DragEvent) => {
    const from = Number.parseInt(event.dataTransfer.getData(DRAGGED), 10)
    if (Number.isNaN(from)) return
    event.preventDefault()
    move(from, at)
  }
  const button = (name: 'up' | 'down' | 'drop', icon: 'down' | 'close', act: () => void) => (
    <button
      type="button"
      className={classes('icon-btn', styles[name])}
      aria-label={t(`route.stop.${name}`, { code })}
      onClick={act}
    >
      <Icon name={icon} size={16} />
    </button>
  )
  return (
    <li
      data-stop={stop.id}
      tabIndex={mayWrite ? 0 : undefined}
      draggable={mayWrite}
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, String(at))}
      onDragOver={(event) => event.dataTransfer.types.includes(DRAGGED) && event.preventDefault()}
      onDrop={onDrop}
      onKeyDown={onKey}
    >
      <span className={styles.place}>{at + 1}</span>
      <span className={styles.what}>
        <MachineLink code={code} /> {stop.name} <small className="quiet">{stop.pointName}</small>
      </span>
      <span className="tags">
        {isNew ? <Tag tone="busy" word={t('route.stop.new')} /> : <Need stop={stop} />}
        {stop.connection === 'offline' && (
          <Tag tone="bad" word={t('connection.offline')} hint={t('connection.offline.help')} />
        )}
      </span>
      {mayWrite && (
        <span className={styles.keys}>
          {button('up', 'down', () => move(at, at - 1))}
          {button('down', 'down', () => move(at, at + 1))}
          {button('drop', 'close', drop)}
        </span>
      )}
    </li>
  )
}

/** A kind of its own, so that nothing else that is dragged in is taken for a stop. */
const DRAGGED = 'application/x-aisle-stop'

function Need({ stop: { emptySlots = 0, lowSlots = 0, missing = 0 } }: { stop: Planned }) {
  const t = useText('fleet')
  const tone = emptySlots > 0 ? 'bad' : 'warn'
  return (
    <>
      {emptySlots + lowSlots === 0 ? (
        <Tag tone="good" word={t('route.fine')} />
      ) : (
        <Tag tone={tone} word={t('route.need', { empty: emptySlots, low: lowSlots })} />
      )}
      {missing > 0 && <small>{t('route.missing', { count: countText(missing) })}</small>}
    </>
  )
}
