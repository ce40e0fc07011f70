import {
  addApiKey,
  apiKeyFields,
  apiKeyState,
  editApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  takeOverApiKey,
} from '@aisle/contract/events/apiKey'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { MerchantInput } from '../../admin/form/refInput'
import { SecretOnce } from '../../shelf/secretOnce'
import { useText } from '../../ui/text'
import { ScopesInput } from './scopesInput'

const shown = [listApiKeys, getApiKey] as const
const limits = ['expiresOn', 'callsAMinute', 'scopes'] as const

export function AddApiKey() {
  const t = useText('events')
  const [key, setKey] = useState<string | null>(null)
  return (
    <>
      <CommandButton
        endpoint={addApiKey}
        verb="addApiKey"
        t={t}
        tone="main"
        fields={apiKeyFields}
        names={['name', 'merchantId', ...limits]}
        inputs={{ merchantId: MerchantInput, scopes: ScopesInput }}
        initial={{ callsAMinute: 600 }}
        changes={shown}
        onDone={(output) => setKey(output.key)}
      />
      {key !== null && (
        <SecretOnce
          title={t('verb.addApiKey.done')}
          sentence={t('apiKey.once')}
          saved={t('apiKey.saved')}
          secret={key}
          onClose={() => setKey(null)}
        />
      )}
    </>
  )
}

export function ApiKeyVerbs({ apiKey }: { apiKey: OutputOf<typeof getApiKey> }) {
  const t = useText('events')
  const { id, version, name, state, scopes, expiresOn, callsAMinute } = apiKey
  const isEnabled = !apiKeyState.is(state, 'revoked')
  const common = { t, vars: { name }, target: { id }, changes: shown, isEnabled }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={editApiKey}
        verb="editApiKey"
        target={{ id, version }}
        fields={apiKeyFields}
        names={limits}
        inputs={{ scopes: ScopesInput }}
        initial={{ expiresOn, callsAMinute, scopes: scopes.map(({ code }) => code) }}
      />
      <CommandButton {...common} endpoint={takeOverApiKey} verb="takeOverApiKey" />
      <CommandButton {...common} endpoint={revokeApiKey} verb="revokeApiKey" tone="danger" />
    </>
  )
}
