import { deliveryFields, getDelivery, listDeliveries, replayDelivery } from '@aisle/contract/events/delivery'
import { deliveryState } from '@aisle/contract/events/states'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Body } from '../../shelf/body'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'

type Detail = OutputOf<typeof getDelivery>

/** What is told, how the last try went, and the way to tell it again. */
export function DeliveryDrawer({ id }: DrawerRow) {
  const t = useText('events')
  const result = useEndpoint(getDelivery, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ eventId, kind }) => `${eventId} · ${t.any(`eventKind.${kind}`)}`}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={deliveryFields.state} t={t} />
        </div>
      )}
      actions={({ state, eventId }) => (
        <CommandButton
          endpoint={replayDelivery}
          verb="replayDelivery"
          t={t}
          target={{ id }}
          vars={{ event: eventId }}
          isEnabled={deliveryState.can(state, 'replay')}
          changes={[listDeliveries, getDelivery]}
        />
      )}
    >
      {(delivery) => (
        <>
          <DeliveryFacts delivery={delivery} />
          <Section title={t('section.body')}>
            <Body title={t('section.body')} text={delivery.body} />
            {delivery.answer !== '' && <Body title={t('field.answer')} text={delivery.answer} />}
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function DeliveryFacts({ delivery }: { delivery: Detail }) {
  const t = useText('events')
  const { triedAt, nextTryAt, status, durationMs, configId, contractNumber } = delivery
  return (
    <Section title={t('section.delivery')}>
      <Facts
        facts={[
          { label: t('field.address'), value: delivery.address },
          { label: t('field.merchantName'), value: delivery.merchantName },
          {
            label: t('field.contractNumber'),
            value: (
              <ScreenLink screen="xtgl/dsfdjpz" search={{ open: String(configId) }}>
                {contractNumber}
              </ScreenLink>
            ),
          },
          { label: t('field.object'), value: delivery.object },
          { label: t('field.numberedAt'), value: <When at={delivery.numberedAt} /> },
          { label: t('field.tries'), value: countText(delivery.tries) },
          { label: t('field.triedAt'), value: triedAt && <Ago at={triedAt} /> },
          { label: t('field.nextTryAt'), value: nextTryAt && <When at={nextTryAt} /> },
          { label: t('field.status'), value: status === null ? null : String(status) },
          { label: t('field.problem'), value: delivery.problem },
          { label: t('field.durationMs'), value: durationMs === null ? null : countText(durationMs) },
          { label: t('field.askedBy'), value: delivery.askedBy },
        ]}
      />
    </Section>
  )
}
