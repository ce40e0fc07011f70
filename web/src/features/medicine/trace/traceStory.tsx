import { traceFields, type TraceStory as Story } from '@aisle/contract/medicine/trace'
import type { TraceVerb } from '@aisle/contract/medicine/trace.states'
import { MachineLink, ScreenLink } from '../../../admin/fields/ref'
import { StateCell } from '../../../admin/fields/state'
import { Ago, Day, When } from '../../../admin/fields/time'
import { TraceLink } from '../../../shelf/traceLink'
import { Timeline } from '../../../ui/chart/timeline'
import { Section } from '../../../ui/feedback/drawer'
import { Facts } from '../../../ui/facts'
import { Tag, type Tone } from '../../../ui/tag'
import { useText } from '../../../ui/text'

export function TraceTags({ trace }: { trace: Story }) {
  const t = useText('medicine')
  return (
    <div className="tags">
      <StateCell value={trace.state} field={traceFields.state} t={t} />
      <StateCell value={trace.level} field={traceFields.level} t={t} />
      {trace.soldAgain > 0 && (
        <Tag tone="bad" word={t('trace.twice', { count: trace.soldAgain })} hint={t('trace.twice.help')} />
      )}
    </div>
  )
}

/** From where a pack came to where it went; each thing in it opens. */
export function TraceStory({ trace }: { trace: Story }) {
  const t = useText('medicine')
  const { machineCode, slotCode, orderNo, holder, productCode, producedOn, expiresOn } = trace
  return (
    <>
      <Section title={t('trace.facts')}>
        <Facts
          facts={[
            {
              label: t('field.productName'),
              value: productCode && (
                <>
                  <ScreenLink screen="ypgl/yplb" search={{ code: productCode }}>
                    {productCode}
                  </ScreenLink>{' '}
                  {trace.productName}
                </>
              ),
            },
            { label: t('field.batch'), value: trace.batch },
            { label: t('field.producedOn'), value: producedOn && <Day on={producedOn} /> },
            { label: t('field.expiresOn'), value: expiresOn && <Day on={expiresOn} /> },
            { label: t('field.manufacturer'), value: trace.manufacturer },
            { label: t('field.approvalNumber'), value: trace.approvalNumber },
            {
              label: t('field.machineCode'),
              value: machineCode && (
                <>
                  <MachineLink code={machineCode} /> {slotCode}
                </>
              ),
            },
            { label: t('field.orderNo'), value: orderNo && <OrderLink orderNo={orderNo} /> },
            { label: t('field.holder'), value: holder && <TraceLink code={holder} /> },
            { label: t('field.scheme'), value: t(`traceScheme.${trace.scheme}`) },
            { label: t('field.merchantName'), value: trace.merchantName },
            { label: t('field.addedAt'), value: <When at={trace.addedAt} /> },
          ]}
        />
      </Section>
      {trace.holdCount > 0 && (
        <Section title={t('trace.holds', { count: trace.holdCount })}>
          <p>
            {trace.holds.map(({ id, code }) => (
              <span key={id}>
                <TraceLink code={code} />{' '}
              </span>
            ))}
          </p>
        </Section>
      )}
      <Section title={t('trace.story')}>
        <Events events={trace.events} />
      </Section>
    </>
  )
}

const OrderLink = ({ orderNo }: { orderNo: string }) => (
  <ScreenLink screen="jygl/ddgl" search={{ orderNo }}>
    {orderNo}
  </ScreenLink>
)

const tones: Record<TraceVerb, Tone> = {
  receive: 'good',
  load: 'good',
  sell: 'busy',
  sellAgain: 'bad',
  takeBack: 'warn',
  destroy: 'idle',
  withdraw: 'warn',
  remove: 'idle',
  lose: 'bad',
  bringBack: 'good',
}

function Events({ events }: { events: Story['events'] }) {
  const t = useText('medicine')
  return (
    <Timeline
      moments={events.map(({ id, at, verb, machineCode, slotCode, batch, reference, note, byName, merchantName }) => {
        const isSale = verb === 'sell' || verb === 'sellAgain'
        const said = [batch && t('trace.batch', { batch }), note, byName, merchantName].filter(Boolean).join(' · ')
        return {
          key: String(id),
          tone: tones[verb],
          title: t(`traceVerb.${verb}`),
          detail: (
            <>
              {machineCode && (
                <>
                  <MachineLink code={machineCode} /> {slotCode}{' '}
                </>
              )}
              {reference && (isSale ? <OrderLink orderNo={reference} /> : <span>{reference}</span>)} {said}
            </>
          ),
          when: <Ago at={at} />,
        }
      })}
    />
  )
}
