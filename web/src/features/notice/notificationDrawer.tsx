import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { isLanguage, languageNames } from '@aisle/contract/kernel/text'
import {
  getNotification,
  listNotifications,
  listReceivers,
  notification,
  notificationState,
  publishNotification,
  remindNotification,
  withdrawNotification,
} from '@aisle/contract/notice/notice'
import { CommandButton } from '../../admin/commandButton'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Tabs } from '../../ui/control/tabs'
import { useText } from '../../ui/text'
import { Receivers } from './receivers'
import formPartsStyles from './formParts.module.css'
import styles from './notification.module.css'
import { classes } from '../../ui/classes'

type Detail = OutputOf<typeof getNotification>
const shown = [getNotification, listNotifications, listReceivers]

/** A notice: what it says, how far its sending is, and who has read it. */
export function NotificationDrawer({ id, tab, pickTab }: DrawerRow) {
  const t = useText('notice')
  const result = useEndpoint(getNotification, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ title }) => title}
      head={(notice) => <StateCell value={notice.state} field={notification.fields.state} t={t} />}
      actions={(notice) => <Verbs notice={notice} />}
    >
      {(notice) => (
        <>
          <Progress notice={notice} />
          <Tabs
            label={notice.title}
            current={tab}
            onPick={pickTab}
            tabs={[
              { key: 'content', label: t('tab.content'), panel: <Content notice={notice} /> },
              { key: 'receivers', label: t('tab.receivers'), panel: <Receivers id={notice.id} /> },
            ]}
          />
        </>
      )}
    </RowDrawer>
  )
}

/** Two bars: how many it has reached, and how many of them have read it. */
function Progress({ notice: { state, expected, receivers, readCount } }: { notice: Detail }) {
  const t = useText('notice')
  if (notificationState.can(state, 'publish')) {
    return (
      <p className={classes(styles.noticeProgress, formPartsStyles.formNote)}>{t('progress.before', { expected })}</p>
    )
  }
  const reached = t('progress.sent', { receivers, expected })
  const read = t('progress.read', { readCount, receivers })
  return (
    <div className={styles.noticeProgress} aria-live="polite">
      <label>
        {reached}
        <progress max={Math.max(1, expected)} value={receivers} />
      </label>
      <label>
        {read}
        <progress max={Math.max(1, receivers)} value={readCount} />
      </label>
    </div>
  )
}

function Content({ notice }: { notice: Detail }) {
  const t = useText('notice')
  const { outside, scheduledAt, publishedAt, finishedAt } = notice
  const moment = (at: string | null) => (at ? <When at={at} /> : null)
  const isOutside = notice.channels.some((channel) => channel !== 'web')
  return (
    <>
      <div className={formPartsStyles.messagePreview}>
        <b>{notice.title}</b>
        <p>{notice.body}</p>
      </div>
      {Object.entries(notice.translations).map(([language, words]) => (
        <div key={language} className={formPartsStyles.messagePreview} lang={language}>
          <small>{isLanguage(language) ? languageNames[language] : language}</small>
          <b>{words.title}</b>
          <p>{words.body}</p>
        </div>
      ))}
      <Section title={t('section.delivery')}>
        <Facts
          facts={[
            { label: t('field.typeLabel'), value: notice.typeLabel },
            { label: t('field.channels'), value: notice.channels.map((each) => t.any(`channel.${each}`)).join(' · ') },
            { label: t('field.target'), value: t.any(`target.${notice.target}`) },
            { label: t('field.targetNames'), value: notice.targetNames.join('; ') },
            {
              label: t('field.withChildren'),
              value:
                notice.target === 'merchants' ? t(notice.withChildren ? 'withChildren.yes' : 'withChildren.no') : null,
            },
            { label: t('field.outside'), value: isOutside ? t('outside', outside) : null },
            { label: t('field.authorName'), value: `${notice.authorName} · ${notice.merchantName}` },
            { label: t('field.createdAt'), value: moment(notice.createdAt) },
            { label: t('field.scheduledAt'), value: moment(scheduledAt) },
            { label: t('field.publishedAt'), value: moment(publishedAt) },
            { label: t('field.finishedAt'), value: moment(finishedAt) },
          ]}
        />
      </Section>
    </>
  )
}

function Verbs({ notice: { id, title, state, receivers, readCount } }: { notice: Detail }) {
  const t = useText('notice')
  const unread = receivers - readCount
  const common = { target: { id }, vars: { title, unread }, changes: shown, t }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={publishNotification}
        verb="publish"
        tone="main"
        isEnabled={notificationState.can(state, 'publish')}
      />
      <CommandButton
        {...common}
        endpoint={remindNotification}
        verb="remind"
        isEnabled={notificationState.can(state, 'remind') && unread > 0}
      />
      <CommandButton
        {...common}
        endpoint={withdrawNotification}
        verb="withdraw"
        tone="danger"
        isEnabled={notificationState.can(state, 'withdraw')}
      />
    </>
  )
}
