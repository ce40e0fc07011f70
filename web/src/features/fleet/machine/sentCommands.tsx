import { type Block, previewBatch, sendToMachines } from '@aisle/contract/device/batch'
import { commandTones, listCommands, type MachineCommand } from '@aisle/contract/device/command'
import { commandState } from '@aisle/contract/device/commands'
import { type SendableType, sendableTypes } from '@aisle/contract/device/sendable'
import type { Machine } from '@aisle/contract/fleet/machine'
import { countText } from '../../../admin/fields/number'
import { ScreenLink } from '../../../admin/fields/ref'
import { Ago } from '../../../admin/fields/time'
import type { Values } from '../../../admin/form/schema'
import { useLive } from '../../../admin/useList'
import { useEndpoint } from '../../../live/query'
import { Tag } from '../../../ui/tag'
import { useText } from '../../../ui/text'
import listStyles from '../../../admin/list.module.css'

const isSendable = (value: unknown): value is SendableType => sendableTypes.some((type) => type === value)

/** Before it is sent: who will be asked, who only when it is back, and who can't be asked and why. */
export function CommandPreview({ rows, values }: { rows: readonly Machine[]; values: Values }) {
  const { type } = values
  return isSendable(type) ? <Preview type={type} machineIds={rows.map(({ id }) => id)} /> : null
}

function Preview({ type, machineIds }: { type: SendableType; machineIds: number[] }) {
  const t = useText('device')
  const { data } = useEndpoint(previewBatch, { type, machines: { machineIds } }, { errors: 'silent', staleTime: 0 })
  if (!data) return <p className="quiet">{t('many.counting')}</p>
  return (
    <div className="quiet">
      <p>
        {t('many.found', { count: countText(data.count), asked: countText(data.willBeAsked) })}
        {data.away > 0 && ` ${t('many.away', { count: countText(data.away) })}`}
      </p>
      {data.leftOut.map(({ block, count, codes }) => (
        <p key={block}>
          {t('batch.leftOut', { why: t(`outcome.${block}`), count })}: {codes.join(' ')}
        </p>
      ))}
    </div>
  )
}

/** After it was sent: how far it is with each machine, as they answer. */
export function SentCommands({ rows, answer }: { rows: readonly Machine[]; answer: unknown }) {
  const { data } = sendToMachines.output.safeParse(answer)
  if (!data) return null
  const left = data.outcomes.flatMap(({ id, outcome }) => (outcome === 'queued' ? [] : [{ id, block: outcome }]))
  return (
    <>
      {data.batchId !== null && <Sent batchId={data.batchId} rows={rows} />}
      {left.length > 0 && <LeftOut rows={rows} left={left} />}
    </>
  )
}

const live = { topic: 'commands', also: [] } as const

function Sent({ batchId, rows }: { batchId: number; rows: readonly Machine[] }) {
  const t = useText('device')
  const { data } = useEndpoint(listCommands, { batchId, pageSize: 100 }, { errors: 'silent' })
  useLive(live, [listCommands])
  if (!data) return <div className="bone" />
  const connections = new Map(rows.map(({ id, connection }) => [id, connection]))
  const counts = commandState.states.flatMap((state) => {
    const count = data.items.filter((each) => each.state === state).length
    return count > 0 ? [`${t(`commandState.${state}`)} ${countText(count)}`] : []
  })
  return (
    <>
      <p role="status">{counts.join(' · ')}</p>
      <ul className={listStyles.batchOutcomes}>
        {data.items.map((command) => (
          <CommandRow key={command.id} command={command} isAway={connections.get(command.machineId) !== 'online'} />
        ))}
      </ul>
      <p>
        <ScreenLink screen="shj/jqzc" search={{ part: 'batches', open: String(batchId) }}>
          {t('many.follow')}
        </ScreenLink>
      </p>
    </>
  )
}

function CommandRow({ command, isAway }: { command: MachineCommand; isAway: boolean }) {
  const t = useText('device')
  const { machineCode, machineName, state, detail, createdAt, sentAt, receivedAt, finishedAt } = command
  const waits = commandState.is(state, 'queued') && isAway
  return (
    <li>
      <span>
        {machineCode} {machineName}
      </span>
      <span>
        <Tag tone={commandTones[state]} word={t(`commandState.${state}`)} hint={t(`commandState.${state}.help`)} />{' '}
        <small className="quiet">
          <Ago at={finishedAt ?? receivedAt ?? sentAt ?? createdAt} />
          {waits && ` · ${t('many.waits')}`}
          {detail && ` · ${t.or(`detail.${detail}`, detail)}`}
        </small>
      </span>
    </li>
  )
}

function LeftOut({ rows, left }: { rows: readonly Machine[]; left: readonly { id: number; block: Block }[] }) {
  const t = useText('device')
  const names = new Map(rows.map(({ id, code, name }) => [id, `${code} ${name}`]))
  return (
    <ul className={listStyles.batchOutcomes}>
      {left.map(({ id, block }) => (
        <li key={id}>
          <span>{names.get(id)}</span>
          <span className="fault">{t('many.notAsked', { why: t(`outcome.${block}`) })}</span>
        </li>
      ))}
    </ul>
  )
}
