import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getAlarmMessage, listAlarmLog } from '@aisle/contract/notice/alarmLog'
import {
  getOutboxState,
  getPushMessage,
  listPushMessages,
  messageState,
  pushMessageFields,
  resendMessage,
} from '@aisle/contract/notice/push'
import { CommandButton } from '../../admin/commandButton'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'
import styles from './formParts.module.css'

type Detail = OutputOf<typeof getPushMessage>
const shown = [getPushMessage, listPushMessages, getOutboxState, getAlarmMessage, listAlarmLog]

/** One message: what it says, where it stands and why, and what may be done about it. */
export const MessageDrawer = ({ id }: DrawerRow) => <Drawer id={id} endpoint={getPushMessage} />
/** The same for whoever may read alarms and no other messages. */
export const AlarmDrawer = ({ id }: DrawerRow) => <Drawer id={id} endpoint={getAlarmMessage} />

function Drawer({ id, endpoint }: { id: number; endpoint: typeof getPushMessage }) {
  const t = useText('notice')
  const result = useEndpoint(endpoint, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ title, typeLabel }) => title || typeLabel}
      head={(message) => <StateCell value={message.state} field={pushMessageFields.state} t={t} />}
      actions={(message) => <Verbs message={message} />}
    >
      {(message) => (
        <>
          <Section title={t('section.content')}>
            <div className={styles.messagePreview}>
              <b>{message.title}</b>
              <p>{message.isSecret ? t(secretOf(message)) : message.body}</p>
            </div>
          </Section>
          <Section title={t('section.delivery')}>
            <MessageFacts message={message} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

const secretOf = ({ isKept, state }: Detail) => {
  if (!isKept) return 'secret.gone'
  return messageState.is(state, 'held') ? 'secret.stays' : 'secret.kept'
}

function MessageFacts({ message }: { message: Detail }) {
  const t = useText('notice')
  const moment = (at: string | null) => (at ? <When at={at} /> : null)
  const { state, whyHeld } = message
  return (
    <Facts
      facts={[
        { label: t('field.state'), value: whyHeld ? t.any(`whyHeld.${whyHeld}`) : t.any(`messageState.${state}.help`) },
        { label: t('field.typeLabel'), value: message.typeLabel },
        { label: t('field.channel'), value: t.any(`channel.${message.channel}`) },
        { label: t('field.receiverName'), value: message.receiverName },
        { label: t('field.receiver'), value: message.receiver },
        { label: t('field.merchantName'), value: message.merchantName },
        { label: t('field.createdAt'), value: moment(message.createdAt) },
        { label: t('field.nextTryAt'), value: messageState.is(state, 'waiting') ? moment(message.nextTryAt) : null },
        { label: t('field.sentAt'), value: moment(message.sentAt) },
        { label: t('field.readAt'), value: moment(message.readAt) },
        { label: t('field.tries'), value: String(message.tries) },
        { label: t('field.provider'), value: message.provider && t.any(`providerKind.${message.provider}`) },
        { label: t('field.error'), value: message.error },
      ]}
    />
  )
}

function Verbs({ message: { id, state, title, isSecret, isKept } }: { message: Detail }) {
  const t = useText('notice')
  return (
    <CommandButton
      endpoint={resendMessage}
      verb="resend"
      target={{ id }}
      vars={{ title }}
      changes={shown}
      t={t}
      tone="main"
      isEnabled={messageState.can(state, 'resend') && (!isSecret || isKept)}
    />
  )
}
