import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { Channel } from '@aisle/contract/notice/messageType'
import {
  clearPushSetting,
  getPushSettings,
  type PushSetting,
  savePushSetting,
} from '@aisle/contract/notice/pushSetting'
import { useState } from 'react'
import { useRow } from '../../admin/form/useRow'
import { refetch, useCommand } from '../../live/query'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { ChannelField } from './channelField'
import { EditDialog } from './editDialog'
import { faultsIn } from './faults'
import { CheckField } from './formParts'

type Named = { id: number; name: string }
type Data = OutputOf<typeof getPushSettings>
type Rule = { channels: Channel[]; roleIds: number[]; userIds: number[]; organisationIds: number[] }

const idsOf = (some: readonly Named[]): number[] => some.map(({ id }) => id)
const ruleOf = ({ channels: chosen, roles, users, organisations }: PushSetting): Rule => ({
  channels: [...chosen],
  roleIds: idsOf(roles),
  userIds: idsOf(users),
  organisationIds: idsOf(organisations),
})

/** Who of the merchant is told of one type, and by which channels; what holds without is one press away. */
export function PushRuleDialog(props: { setting: PushSetting; data: Data; onClose: () => void }) {
  const { setting, data, onClose } = props
  const { typeId, name, source } = setting
  const t = useText('notice')
  const row = useRow(ruleOf(setting), setting.version)
  const { values: rule, version } = row
  const [isTried, setTried] = useState(false)
  const done = async (text: string) => {
    toast('good', text)
    onClose()
    await refetch(getPushSettings)
  }
  const save = useCommand(savePushSetting, { errors: 'throw', onSuccess: () => done(t('rules.saved', { name })) })
  const clear = useCommand(clearPushSetting, { errors: 'toast', onSuccess: () => done(t('rules.cleared', { name })) })
  const isEmpty = rule.roleIds.length + rule.userIds.length + rule.organisationIds.length === 0
  const send = () => {
    setTried(true)
    if (isEmpty || rule.channels.length === 0 || save.isPending) return
    save.mutate({ typeId, version, ...rule }, { onError: row.goOnFrom })
  }
  return (
    <EditDialog
      title={name}
      failure={save.error}
      isPending={save.isPending}
      onSave={send}
      onClose={onClose}
      more={
        source === 'own' && (
          <button type="button" className="btn" disabled={clear.isPending} onClick={() => clear.mutate({ typeId })}>
            {t('action.clearRule')}
          </button>
        )
      }
    >
      <ChannelField
        rule={t('rule.carried')}
        fault={isTried && rule.channels.length === 0 ? t('rule.channelNeeded') : faultsIn(save.error).channels}
        carried={data.carried}
        chosen={rule.channels}
        onChange={(value) => row.change({ channels: value })}
      />
      <Targets rule={rule} choices={data.choices} change={row.change} />
      {isTried && isEmpty && (
        <p className="fault" role="alert">
          {t('rule.target')}
        </p>
      )}
    </EditDialog>
  )
}

function Targets(props: { rule: Rule; choices: Data['choices']; change: (part: Partial<Rule>) => void }) {
  const { rule, choices, change } = props
  const t = useText('notice')
  const kinds = [
    { part: 'roleIds', options: choices.roles },
    { part: 'organisationIds', options: choices.organisations },
    { part: 'userIds', options: choices.users },
  ] as const
  return kinds
    .filter(({ options }) => options.length > 0)
    .map(({ part, options }) => (
      <CheckField
        key={part}
        label={t.any(`field.${part}`)}
        isLong
        options={options.map(({ id, name }) => ({ value: id, word: name }))}
        chosen={rule[part]}
        onChange={(value) => change({ [part]: value })}
      />
    ))
}
