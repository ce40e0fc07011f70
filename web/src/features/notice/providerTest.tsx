import { testProvider } from '@aisle/contract/notice/pushSetting'
import { screenOf } from '@aisle/contract/screens'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCommand } from '../../live/query'
import { useText } from '../../ui/text'
import { EditDialog } from './editDialog'
import { faultsIn } from './faults'
import { TextField } from './formParts'

/** One message to oneself shows whether a provider works; its fate opens in the outbox. */
export function ProviderTest({ channel, onClose }: { channel: 'sms' | 'email'; onClose: () => void }) {
  const t = useText('notice')
  const navigate = useNavigate()
  const [receiver, setReceiver] = useState('')
  const command = useCommand(testProvider, {
    errors: 'throw',
    onSuccess: ({ messageId }) => void navigate({ href: `${screenOf('xtgl/xxts').path}?open=${messageId}` }),
  })
  return (
    <EditDialog
      title={t('action.test')}
      save={t('action.test')}
      failure={command.error}
      isPending={command.isPending || receiver.trim().length < 5}
      onSave={() => command.mutate({ channel, receiver })}
      onClose={onClose}
    >
      <TextField
        label={t.any(`field.receiver.${channel}`)}
        fault={faultsIn(command.error).receiver}
        value={receiver}
        onChange={setReceiver}
      />
    </EditDialog>
  )
}
