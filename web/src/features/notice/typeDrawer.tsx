import {
  editMessageType,
  listMessageTypes,
  type MessageType,
  messageType,
  messageTypeState,
  switchTypeOff,
  switchTypeOn,
} from '@aisle/contract/notice/messageType'
import { type ReactNode, useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { StateCell } from '../../admin/fields/state'
import { useRow } from '../../admin/form/useRow'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { refetch, useCommand, useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { toast } from '../../ui/feedback/notice'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { faultsIn, faultsOf } from './faults'
import { TypeForm, type TypeWords } from './typeForm'
import styles from './formParts.module.css'

/** A message type with its words; who may change it does so right here. */
export function TypeDrawer({ id }: DrawerRow) {
  const t = useText('notice')
  // All types are few: one reading of the whole list serves every drawer.
  const result = useEndpoint(listMessageTypes, { pageSize: 200 }, { errors: 'throw' })
  const typeIn = ({ items }: { items: MessageType[] }) => items.find((each) => each.id === id)
  return (
    <RowDrawer
      result={result}
      title={(all) => `${typeIn(all)?.label ?? ''} ${typeIn(all)?.code ?? ''}`}
      head={(all) => <OfType type={typeIn(all)}>{(type) => <Tags type={type} />}</OfType>}
      actions={(all) => <OfType type={typeIn(all)}>{(type) => <Verbs type={type} />}</OfType>}
    >
      {(all) => (
        <OfType type={typeIn(all)}>
          {(type) => <Editor key={type.id} type={type} canWrite={can(editMessageType.access)} t={t} />}
        </OfType>
      )}
    </RowDrawer>
  )
}

const OfType = (props: { type: MessageType | undefined; children: (type: MessageType) => ReactNode }) =>
  props.type ? props.children(props.type) : null

function Tags({ type }: { type: MessageType }) {
  const t = useText('notice')
  return (
    <div className="tags">
      <StateCell value={type.state} field={messageType.fields.state} t={t} />
      <StateCell value={type.urgency} field={messageType.fields.urgency} t={t} />
      {type.isSystem && <Tag tone="idle" word={t('type.system')} hint={t('type.system.help')} />}
    </div>
  )
}

function Verbs({ type: { id, code, label, state, isRequired } }: { type: MessageType }) {
  const t = useText('notice')
  const common = { target: { id }, vars: { code, label }, changes: [listMessageTypes], t }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={switchTypeOff}
        verb="switchOff"
        tone="danger"
        isEnabled={messageTypeState.can(state, 'switchOff') && !isRequired}
      />
      <CommandButton
        {...common}
        endpoint={switchTypeOn}
        verb="switchOn"
        isEnabled={messageTypeState.can(state, 'switchOn')}
      />
    </>
  )
}

const wordsOf = ({ name, title, body, channels, urgency, variables, smsTemplate }: MessageType): TypeWords => ({
  name,
  title,
  body,
  channels: [...channels],
  urgency,
  variables,
  smsTemplate,
})

function Editor(props: { type: MessageType; canWrite: boolean; t: ReturnType<typeof useText<'notice'>> }) {
  const { type, canWrite, t } = props
  const kernel = useText('kernel')
  const row = useRow(wordsOf(type), type.version)
  const { values: words, version } = row
  const [isTried, setTried] = useState(false)
  const command = useCommand(editMessageType, {
    errors: 'throw',
    onSuccess: async () => {
      // As every save does.
      row.saved(version + 1)
      setTried(false)
      toast('good', t('type.saved', { label: type.label }))
      await refetch(listMessageTypes)
    },
  })
  const asked = { id: type.id, version, ...words }
  const own = isTried ? faultsOf(editMessageType, asked, t, kernel) : {}
  const isChanged = JSON.stringify(words) !== JSON.stringify(wordsOf(type))
  const save = () => {
    setTried(true)
    if (!editMessageType.input.safeParse(asked).success || command.isPending) return
    command.mutate(asked, { onError: row.goOnFrom })
  }
  return (
    <form
      className={styles.messageForm}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <TypeForm
        words={words}
        change={row.change}
        faults={{ ...faultsIn(command.error), ...own }}
        isSystem={type.isSystem}
        isRequired={type.isRequired}
      />
      {command.error && (
        <p className="fault" role="alert">
          {command.error.message}
        </p>
      )}
      {canWrite && (
        <div className={styles.formActions}>
          <button type="submit" className="btn btn-main" disabled={!isChanged || command.isPending}>
            {t('action.save')}
          </button>
          {isChanged && (
            <button type="button" className="btn" onClick={() => row.change(wordsOf(type))}>
              {t('action.undo')}
            </button>
          )}
        </div>
      )}
    </form>
  )
}
