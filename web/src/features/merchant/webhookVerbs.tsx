import { listDeliveries } from '@aisle/contract/events/delivery'
import { webhookState } from '@aisle/contract/events/states'
import {
  addWebhook,
  disableWebhook,
  editWebhook,
  enableWebhook,
  listWebhooks,
  MOST_WEBHOOKS,
  pauseWebhook,
  previewReplay,
  removeWebhook,
  replayWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  type Webhook,
  webhookFields,
} from '@aisle/contract/events/webhook'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import type { Values } from '../../admin/form/schema'
import { RemoveButton } from '../../admin/removeButton'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import type { IntegrationDetail } from './integrationDrawer'
import { SecretOnce } from '../../shelf/secretOnce'

const shown = [listWebhooks, listDeliveries] as const
const names = ['address', 'kinds'] as const

type Feed = { config: IntegrationDetail; count: number }

export function AddWebhook({ config: { id: configId, interfaceType }, count }: Feed) {
  const t = useText('events')
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <>
      <CommandButton
        endpoint={addWebhook}
        verb="addWebhook"
        t={t}
        target={{ configId }}
        fields={webhookFields}
        names={names}
        isEnabled={interfaceType !== 'pull' && count < MOST_WEBHOOKS}
        changes={shown}
        onDone={(output) => setSecret(output.secret)}
      />
      <Once secret={secret} onClose={() => setSecret(null)} />
    </>
  )
}

export function WebhookVerbs({ webhook }: { webhook: Webhook }) {
  const t = useText('events')
  const { id, version, state, address, kinds } = webhook
  const common = { t, vars: { address }, target: { id }, changes: shown }
  const may = (verb: 'pause' | 'resume' | 'enable' | 'disable') => webhookState.can(state, verb)
  return (
    <>
      <CommandButton
        {...common}
        endpoint={replayWebhook}
        verb="replayWebhook"
        fields={webhookFields}
        names={['scope', 'from', 'to']}
        initial={{ scope: 'dead' }}
        preview={ReplayPreview}
        isEnabled={!webhookState.is(state, 'disabled')}
      />
      {may('pause') && <CommandButton {...common} endpoint={pauseWebhook} verb="pauseWebhook" />}
      {may('resume') && <CommandButton {...common} endpoint={resumeWebhook} verb="resumeWebhook" />}
      {may('enable') && <CommandButton {...common} endpoint={enableWebhook} verb="enableWebhook" />}
      {may('disable') && <CommandButton {...common} endpoint={disableWebhook} verb="disableWebhook" tone="danger" />}
      <CommandButton
        {...common}
        endpoint={editWebhook}
        verb="editWebhook"
        target={{ id, version }}
        fields={webhookFields}
        names={names}
        initial={{ address, kinds }}
      />
      <RotateSecret webhook={webhook} />
      <RemoveButton {...common} endpoint={removeWebhook} verb="removeWebhook" />
    </>
  )
}

/** How much would be told again, before it is asked for. */
function ReplayPreview({ values: { id, scope, from, to } }: { values: Values }) {
  const t = useText('events')
  const days = { ...(from ? { from: String(from) } : {}), ...(to ? { to: String(to) } : {}) }
  const wanted = scope === 'all' ? 'all' : 'dead'
  const { data, error } = useEndpoint(previewReplay, { id: Number(id), scope: wanted, ...days }, { errors: 'silent' })
  if (error) return <p className="fault">{error.message}</p>
  if (!data) return null
  if (data.count === 0) return <p role="status">{t('replay.nothing')}</p>
  return (
    <p role="status">
      <strong>{t('replay.preview', { count: countText(data.count) })}</strong>
      {data.kinds.map(({ kind, count }) => ` · ${t.any(`eventKind.${kind}`)} ${countText(count)}`)}
    </p>
  )
}

function RotateSecret({ webhook: { id, address } }: { webhook: Webhook }) {
  const t = useText('events')
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <>
      <CommandButton
        t={t}
        vars={{ address }}
        target={{ id }}
        changes={shown}
        endpoint={rotateWebhookSecret}
        verb="rotateWebhookSecret"
        tone="danger"
        onDone={(output) => setSecret(output.secret)}
      />
      <Once secret={secret} onClose={() => setSecret(null)} />
    </>
  )
}

function Once({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  const t = useText('events')
  if (secret === null) return null
  return (
    <SecretOnce
      title={t('webhook.secret.title')}
      sentence={t('webhook.secret.once')}
      saved={t('webhook.secret.saved')}
      secret={secret}
      onClose={onClose}
    />
  )
}
