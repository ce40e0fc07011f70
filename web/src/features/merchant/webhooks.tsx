import { listWebhooks, type Webhook, webhookFields } from '@aisle/contract/events/webhook'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago } from '../../admin/fields/time'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'
import type { IntegrationDetail } from './integrationDrawer'
import { AddWebhook, WebhookVerbs } from './webhookVerbs'
import styles from './webhooks.module.css'

/** Where an event feed is told, and how each address takes it. */
export function Webhooks({ config }: { config: IntegrationDetail }) {
  const t = useText('events')
  const { data } = useEndpoint(listWebhooks, { configId: config.id }, { errors: 'silent' })
  return (
    <Section title={t('section.webhooks')}>
      {data?.items.length === 0 && <p className="quiet">{t('section.webhooks.none')}</p>}
      {data?.items.map((webhook) => (
        <One key={webhook.id} webhook={webhook} />
      ))}
      {data && (
        <div className={styles.verbs}>
          <AddWebhook config={config} count={data.items.length} />
        </div>
      )}
    </Section>
  )
}

function One({ webhook }: { webhook: Webhook }) {
  const t = useText('events')
  const { id, address, kinds, state, endedBy, failingSince, lastDeliveredAt, waiting, dead } = webhook
  const listed = (wanted: 'waiting' | 'dead', count: number) => (
    <ScreenLink screen="xtgl/sjts" search={{ webhookId: String(id), state: wanted }}>
      {t(`webhook.${wanted}`, { count: countText(count) })}
    </ScreenLink>
  )
  return (
    <article className={styles.webhook}>
      <p className={styles.head}>
        <code>{address}</code>
        <StateCell value={state} field={webhookFields.state} t={t} />
      </p>
      <Facts
        facts={[
          {
            label: t('field.kinds'),
            value:
              kinds.length === 0 ? t('webhook.allKinds') : kinds.map((kind) => t.any(`eventKind.${kind}`)).join(' · '),
          },
          {
            label: t('section.delivery'),
            value: (
              <>
                {listed('waiting', waiting)} · {listed('dead', dead)}
              </>
            ),
          },
          {
            label: t('webhook.lastDeliveredAt'),
            value: lastDeliveredAt ? <Ago at={lastDeliveredAt} /> : t('webhook.never'),
          },
          { label: t('webhook.failingSince'), value: failingSince && <Ago at={failingSince} /> },
          { label: t('field.state'), value: endedBy && t(`webhookEnd.${endedBy}`) },
        ]}
      />
      <div className={styles.verbs}>
        <WebhookVerbs webhook={webhook} />
      </div>
    </article>
  )
}
