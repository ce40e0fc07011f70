import { callbackState } from '@aisle/contract/partner/states'
import {
  callAgain,
  getShipment,
  listShipments,
  shipmentFields,
  summariseShipments,
} from '@aisle/contract/partner/shipment'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'
import { Body } from '../../shelf/body'
import { Callbacks } from './shipmentCallbacks'
import styles from './partner.module.css'

export type ShipmentDetail = OutputOf<typeof getShipment>

/** What another program asked for, what the machine was told and did, and what was told back. */
export function ShipmentDrawer({ id }: DrawerRow) {
  const t = useText('partner')
  const result = useEndpoint(getShipment, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ requestNo, contractNumber }) => `${requestNo} · ${contractNumber}`}
      head={({ result: outcome, callback }) => (
        <div className="tags">
          <StateCell value={outcome} field={shipmentFields.result} t={t} />
          <StateCell value={callback} field={shipmentFields.callback} t={t} />
        </div>
      )}
      actions={({ callbacks }) => (
        <CommandButton
          endpoint={callAgain}
          verb="callAgain"
          t={t}
          target={{ id }}
          isEnabled={callbacks[0] !== undefined && !callbackState.is(callbacks[0].state, 'waiting')}
          changes={[listShipments, getShipment, summariseShipments]}
        />
      )}
    >
      {(shipment) => (
        <>
          <Request shipment={shipment} />
          <Pieces shipment={shipment} />
          <Commands shipment={shipment} />
          <Callbacks shipment={shipment} />
          <Section title={t('section.bodies')}>
            <Body title={t('body.request')} text={shipment.request} />
            <Body title={t('body.answer')} text={shipment.answer} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function Request({ shipment }: { shipment: ShipmentDetail }) {
  const t = useText('partner')
  const { orderNo, machineCode, endedAt, configId } = shipment
  return (
    <Section title={t('section.request')}>
      <Facts
        facts={[
          { label: t('field.requestNo'), value: shipment.requestNo },
          {
            label: t('field.contractNumber'),
            value: (
              <ScreenLink screen="xtgl/dsfdjpz" search={{ open: String(configId) }}>
                {shipment.contractNumber}
              </ScreenLink>
            ),
          },
          { label: t('field.merchantName'), value: shipment.merchantName },
          {
            label: t('field.machineName'),
            value: (
              <>
                <ScreenLink screen="shj/wdshj" search={{ code: machineCode }}>
                  {machineCode}
                </ScreenLink>{' '}
                {shipment.machineName}
              </>
            ),
          },
          {
            label: t('field.orderNo'),
            value: (
              <ScreenLink screen="jygl/ddgl" search={{ orderNo }}>
                {orderNo}
              </ScreenLink>
            ),
          },
          { label: t('field.createdAt'), value: <When at={shipment.createdAt} /> },
          { label: t('field.endedAt'), value: endedAt && <When at={endedAt} /> },
          { label: t('field.ip'), value: shipment.ip },
          { label: t('field.path'), value: shipment.path },
          { label: t('field.tries'), value: countText(shipment.tries) },
        ]}
      />
    </Section>
  )
}

function Pieces({ shipment: { items } }: { shipment: ShipmentDetail }) {
  const t = useText('partner')
  const words = useText('trade')
  return (
    <Section title={t('section.items')}>
      <ul className={styles.lines}>
        {items.map(({ index, slotCode, productName, state, motorCode, sensorCode, batch, traceCode, shippedAt }) => (
          <li key={index}>
            <strong>{`${slotCode} ${productName}`}</strong>
            <span>{words.any(`itemState.${state}`)}</span>
            <small>{[motorCode, sensorCode, batch, traceCode].filter(Boolean).join(' · ')}</small>
            {shippedAt && <Ago at={shippedAt} />}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Commands({ shipment: { commands } }: { shipment: ShipmentDetail }) {
  const t = useText('partner')
  const words = useText('device')
  return (
    <Section title={t('section.commands')}>
      <ul className={styles.lines}>
        {commands.map(({ id, state, createdAt, sentAt, endedAt }) => (
          <li key={id}>
            <strong>{words.any(`commandState.${state}`)}</strong>
            <Ago at={endedAt ?? sentAt ?? createdAt} />
            <small>{id}</small>
          </li>
        ))}
      </ul>
    </Section>
  )
}
