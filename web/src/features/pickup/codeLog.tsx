import type { CodeEvent } from '@aisle/contract/pickup/pickupCode'
import { ScreenLink } from '../../admin/fields/ref'
import { Ago } from '../../admin/fields/time'
import type { Tone } from '../../ui/tag'
import { useText } from '../../ui/text'
import { Timeline } from '../../ui/chart/timeline'
import type { CodeDetail } from './codeDrawer'
import styles from './pickup.module.css'

const tones: Record<CodeEvent['kind'], Tone> = {
  made: 'idle',
  held: 'busy',
  dispensed: 'good',
  givenBack: 'warn',
  late: 'warn',
  refused: 'bad',
  released: 'idle',
  revealed: 'idle',
  ended: 'idle',
}

/** All that happened to a code, the newest first. */
export function CodeLog({ code }: { code: CodeDetail }) {
  const t = useText('pickup')
  const words = useText('device')
  const titleOf = (event: CodeEvent) => {
    const word = event.kind === 'ended' ? t(`pickupCodeState.${code.state}`) : t(`event.${event.kind}`)
    const more = event.refusal ? words(`messageRefusal.${event.refusal}`) : null
    const pieces = event.pieces === null ? null : t('event.pieces', { count: event.pieces })
    return [word, more ?? pieces].filter(Boolean).join(' · ')
  }
  return (
    <Timeline
      moments={code.events.map((event, at) => ({
        key: `${event.kind}${event.at}${at}`,
        tone: tones[event.kind],
        title: titleOf(event),
        detail: <Detail event={event} />,
        when: <Ago at={event.at} />,
      }))}
    />
  )
}

/** A number that was refused is of no order: there is nothing to open behind it. */
function Detail({ event: { kind, machineCode, machineName, orderNo, byName, extra } }: { event: CodeEvent }) {
  const t = useText('pickup')
  return (
    <span className={styles.where}>
      {machineCode && (
        <span>
          <ScreenLink screen="shj/wdshj" search={{ code: machineCode }}>
            {machineCode}
          </ScreenLink>{' '}
          {machineName}
        </span>
      )}
      {orderNo && kind !== 'refused' && (
        <ScreenLink screen="jygl/ddgl" search={{ orderNo }}>
          {orderNo}
        </ScreenLink>
      )}
      {orderNo && kind === 'refused' && <span>{orderNo}</span>}
      {byName && <span>{byName}</span>}
      {extra !== null && extra > 0 && <span className="fault">{t('event.extra', { count: extra })}</span>}
    </span>
  )
}
