import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  getPushSettings,
  listProviders,
  type ProviderConfig,
  type ProviderKind,
  saveProvider,
} from '@aisle/contract/notice/pushSetting'
import { useState } from 'react'
import { useRow } from '../../admin/form/useRow'
import { refetch, useCommand } from '../../live/query'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { EditDialog } from './editDialog'
import { faultsIn, faultsOf } from './faults'
import { SelectField, SwitchField, TextField } from './formParts'

type Provider = OutputOf<typeof listProviders>['items'][number]

const blank: Record<ProviderKind, ProviderConfig> = {
  aliyun: { kind: 'aliyun', endpoint: 'https://dysmsapi.aliyuncs.com/', keyId: '', signName: '', template: '' },
  tencent: {
    kind: 'tencent',
    endpoint: 'https://sms.tencentcloudapi.com/',
    keyId: '',
    appId: '',
    region: 'ap-guangzhou',
    signName: '',
    template: '',
  },
  smtp: { kind: 'smtp', host: '', port: 465, isSecure: true, user: '', from: '' },
}
const kinds = { sms: ['aliyun', 'tencent'], email: ['smtp'] } as const

/** Address and keys of a provider. The secret is written and never shown; left empty, the kept one stays. */
export function ProviderDialog(props: {
  channel: 'sms' | 'email'
  provider: Provider | undefined
  onClose: () => void
}) {
  const { channel, provider, onClose } = props
  const t = useText('notice')
  const kernel = useText('kernel')
  const { config: kept = blank[kinds[channel][0]], isOn: isKeptOn = true, version: read = 0 } = provider ?? {}
  const row = useRow<{ config: ProviderConfig; isOn: boolean }, number>({ config: kept, isOn: isKeptOn }, read)
  const { version } = row
  const { config, isOn } = row.values
  const setConfig = (next: ProviderConfig) => row.change({ config: next })
  const [secret, setSecret] = useState('')
  const [isTried, setTried] = useState(false)
  const command = useCommand(saveProvider, {
    errors: 'throw',
    onSuccess: async () => {
      toast('good', t('providers.saved'))
      onClose()
      await refetch(listProviders, getPushSettings)
    },
  })
  const asked = { config, isOn, version, ...(secret ? { secret } : {}) }
  const faults = { ...faultsIn(command.error), ...(isTried ? faultsOf(saveProvider, asked, t, kernel) : {}) }
  const isKept = provider?.hasSecret === true && provider.config.kind === config.kind
  const send = () => {
    setTried(true)
    if (!saveProvider.input.safeParse(asked).success || command.isPending) return
    command.mutate(asked, { onError: row.goOnFrom })
  }
  return (
    <EditDialog
      title={t.any(`channel.${channel}`)}
      failure={command.error}
      isPending={command.isPending}
      onSave={send}
      onClose={onClose}
    >
      <SelectField
        label={t('field.provider')}
        value={config.kind}
        options={kinds[channel].map((value) => ({ value, word: t.any(`providerKind.${value}`) }))}
        onChange={(kind) => setConfig(provider?.config.kind === kind ? provider.config : blank[kind])}
      />
      {Object.entries(config).map(([name, value]) => (
        <ConfigField
          key={`${config.kind}.${name}`}
          name={name}
          value={value}
          fault={faults[`config.${name}`]}
          onChange={(next) => setConfig({ ...config, [name]: next } as ProviderConfig)}
        />
      ))}
      <TextField
        label={t(config.kind === 'smtp' ? 'field.password' : 'field.secret')}
        type="password"
        rule={isKept ? t('rule.secretKept') : t('rule.secret')}
        fault={faults.secret}
        value={secret}
        onChange={setSecret}
      />
      <SwitchField label={t('providers.isOn')} isOn={isOn} onChange={(next) => row.change({ isOn: next })} />
    </EditDialog>
  )
}

function ConfigField(props: {
  name: string
  value: string | number | boolean
  fault: string | undefined
  onChange: (value: string | number | boolean) => void
}) {
  const { name, value, fault, onChange } = props
  const t = useText('notice')
  const label = `config.${name}`
  if (name === 'kind') return null
  if (typeof value === 'boolean') return <SwitchField label={t.any(label)} isOn={value} onChange={onChange} />
  return (
    <TextField
      label={t.any(label)}
      fault={fault}
      type={typeof value === 'number' ? 'number' : 'text'}
      value={String(value)}
      onChange={(text) => onChange(typeof value === 'number' ? Number(text) : text)}
    />
  )
}
