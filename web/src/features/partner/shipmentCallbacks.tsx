import { shipmentFields } from '@aisle/contract/partner/shipment'
import { countText } from '../../admin/fields/number'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import { Section } from '../../ui/feedback/drawer'
import { useText } from '../../ui/text'
import { Timeline } from '../../ui/chart/timeline'
import { Body } from '../../shelf/body'
import type { ShipmentDetail } from './shipmentDrawer'
import styles from './partner.module.css'

type Callback = ShipmentDetail['callbacks'][number]

/** What was told, newest first, and each time that it was said. */
export function Callbacks({ shipment: { callbacks } }: { shipment: ShipmentDetail }) {
  const t = useText('partner')
  return (
    <Section title={t('section.callbacks')}>
      {callbacks.length === 0 && <p className="quiet">{t('section.callbacks.none')}</p>}
      {callbacks.map((callback) => (
        <Told key={callback.id} callback={callback} />
      ))}
    </Section>
  )
}

function Told({ callback }: { callback: Callback }) {
  const t = useText('partner')
  const { event, eventId, state, nextTryAt, attempts, body } = callback
  return (
    <div className={styles.told}>
      <p className={styles.event}>
        <strong>{t(`event.${event}`)}</strong>
        <StateCell value={state} field={shipmentFields.callback} t={t} />
        <small>{eventId}</small>
      </p>
      {nextTryAt && (
        <p className="quiet">
          {t('field.nextTryAt')} <When at={nextTryAt} />
        </p>
      )}
      <Timeline
        moments={attempts.map(({ id, at, status, problem, answer, durationMs, byName }) => ({
          key: String(id),
          tone: status !== null && status >= 200 && status < 300 ? 'good' : 'bad',
          title:
            status === null
              ? t('attempt.silent', { problem: problem ?? '', ms: countText(durationMs) })
              : t('attempt.heard', { status: String(status), ms: countText(durationMs) }),
          detail: [byName && t('attempt.by', { who: byName }), answer.slice(0, 200)].filter(Boolean).join(' · '),
          when: <Ago at={at} />,
        }))}
      />
      {body && <Body title={t('body.callback')} text={body} />}
    </div>
  )
}
