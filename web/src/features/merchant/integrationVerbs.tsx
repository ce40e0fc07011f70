import {
  addIntegration,
  disableIntegration,
  editIntegration,
  enableIntegration,
  getIntegration,
  integrationFields,
  integrationState,
  isOffered,
  listIntegrations,
  removeIntegration,
  rotateIntegrationSecret,
} from '@aisle/contract/merchant/integration'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { MerchantInput } from '../../admin/form/refInput'
import { RemoveButton } from '../../admin/removeButton'
import { useText } from '../../ui/text'
import type { IntegrationDetail } from './integrationDrawer'
import { MachineInput } from '../../shelf/machineInput'
import { SecretOnce } from '../../shelf/secretOnce'

const shown = [listIntegrations, getIntegration] as const
const names = ['childClass', 'interfaceType', 'path', 'maxCount', 'expiresOn', 'contractNumber'] as const

export function AddIntegration() {
  const t = useText('merchant')
  return (
    <CommandButton
      endpoint={addIntegration}
      verb="addIntegration"
      t={t}
      tone="main"
      fields={integrationFields}
      names={['merchantId', 'machineCode', ...names]}
      inputs={{ merchantId: MerchantInput, machineCode: MachineInput }}
      changes={shown}
    />
  )
}

export function IntegrationVerbs({ config }: { config: IntegrationDetail }) {
  const t = useText('merchant')
  const { id, version, state, merchantName: merchant, secretSetAt, useCount, childClass } = config
  const common = { t, vars: { merchant }, target: { id }, changes: shown }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={enableIntegration}
        verb="enableIntegration"
        tone="main"
        isEnabled={integrationState.can(state, 'enable') && secretSetAt !== null && isOffered(childClass)}
      />
      <CommandButton
        {...common}
        endpoint={disableIntegration}
        verb="disableIntegration"
        tone="danger"
        isEnabled={integrationState.can(state, 'disable')}
      />
      <CommandButton
        {...common}
        endpoint={editIntegration}
        verb="editIntegration"
        target={{ id, version }}
        fields={integrationFields}
        names={names}
        initial={Object.fromEntries(names.map((name) => [name, config[name]]))}
      />
      <RotateSecret config={config} />
      <RemoveButton
        {...common}
        endpoint={removeIntegration}
        verb="removeIntegration"
        isEnabled={useCount === 0}
        changes={[listIntegrations]}
      />
    </>
  )
}

function RotateSecret({ config: { id, merchantName: merchant } }: { config: IntegrationDetail }) {
  const t = useText('merchant')
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <>
      <CommandButton
        t={t}
        vars={{ merchant }}
        target={{ id }}
        changes={shown}
        endpoint={rotateIntegrationSecret}
        verb="rotateIntegrationSecret"
        tone="danger"
        onDone={(output) => setSecret(output.secret)}
      />
      {secret !== null && (
        <SecretOnce
          title={t('integration.secret.title', { merchant })}
          sentence={t('integration.secret.once')}
          saved={t('integration.secret.saved')}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  )
}
