import {
  concludeRemoteShip,
  getRemoteShip,
  listRemoteShips,
  remoteShipFields,
  remoteShipState,
  remoteShipTones,
} from '@aisle/contract/device/remoteShip'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { type Moment, Timeline } from '../../ui/chart/timeline'
import { detailText } from './commandDrawer'
import { codesText } from './codes'

type Detail = OutputOf<typeof getRemoteShip>
const shown = [getRemoteShip, listRemoteShips]

/** Who let what out, why, and what the machine says came of it. */
export function RemoteShipDrawer({ id }: DrawerRow) {
  const t = useText('device')
  const result = useEndpoint(getRemoteShip, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ productName, slotCode }) => `${slotCode} ${productName}`}
      head={({ state, kind }) => (
        <div className="tags">
          <StateCell value={state} field={remoteShipFields.state} t={t} />
          <StateCell value={kind} field={remoteShipFields.kind} t={t} />
        </div>
      )}
      actions={(ship) => <Verbs ship={ship} />}
    >
      {(ship) => (
        <>
          <ShipFacts ship={ship} />
          <Section title={t('command.life')}>
            <Timeline moments={momentsOf(ship, t)} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

/** Only where the machine itself can't say; whoever looked into the slot says it. */
function Verbs({ ship: { id, state, slotCode } }: { ship: Detail }) {
  const t = useText('device')
  const common = {
    t,
    vars: { slot: slotCode },
    changes: shown,
    isEnabled: remoteShipState.is(state, 'unknown'),
    names: ['reason'],
  }
  return (
    <>
      <CommandButton {...common} endpoint={concludeRemoteShip} verb="concludeOut" target={{ id, isOut: true }} />
      <CommandButton {...common} endpoint={concludeRemoteShip} verb="concludeNotOut" target={{ id, isOut: false }} />
    </>
  )
}

function ShipFacts({ ship }: { ship: Detail }) {
  const t = useText('device')
  const label = (name: string) => t.any(`field.${name}`)
  const { machineCode, machineName, merchantName, orderNo, customer, reason, createdBy, costFen, commandId } = ship
  return (
    <Facts
      facts={[
        {
          label: label('machineCode'),
          value: (
            <>
              <ScreenLink screen="shj/wdshj" search={{ code: machineCode }}>
                {machineCode}
              </ScreenLink>{' '}
              {machineName}
            </>
          ),
        },
        { label: label('merchantName'), value: merchantName },
        {
          label: label('orderNo'),
          value: orderNo && (
            <ScreenLink screen="jygl/ddgl" search={{ orderNo }}>
              {orderNo}
            </ScreenLink>
          ),
        },
        { label: label('customer'), value: customer },
        { label: label('reason'), value: reason },
        { label: label('createdBy'), value: createdBy },
        { label: label('costFen'), value: <Money fen={costFen} /> },
        {
          label: label('command'),
          value:
            commandId > 0 ? (
              <ScreenLink screen="shj/jqzc" search={{ part: 'commands', open: String(commandId) }}>
                {String(commandId)}
              </ScreenLink>
            ) : null,
        },
      ]}
    />
  )
}

function momentsOf(ship: Detail, t: ReturnType<typeof useText<'device'>>): Moment[] {
  const { createdAt, sentAt, receivedAt, finishedAt, state, motorCode, sensorCode, detail } = ship
  const codes = codesText({ motorCode, sensorCode }, t)
  const moments: (Moment | false)[] = [
    { key: 'created', tone: 'idle', title: t('commandState.queued'), when: <Ago at={createdAt} /> },
    sentAt !== null && { key: 'sent', tone: 'busy', title: t('commandState.sent'), when: <Ago at={sentAt} /> },
    receivedAt !== null && {
      key: 'received',
      tone: 'busy',
      title: t('remoteShipState.received'),
      when: <Ago at={receivedAt} />,
    },
    finishedAt !== null && {
      key: 'over',
      tone: remoteShipTones[state],
      title: t(`remoteShipState.${state}`),
      detail: [codes, detail && detailText(detail, t)].filter(Boolean).join(' · '),
      when: <Ago at={finishedAt} />,
    },
  ]
  return moments.filter((moment) => moment !== false)
}
