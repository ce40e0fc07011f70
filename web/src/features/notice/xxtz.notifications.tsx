import { getNotification, listNotifications, notification } from '@aisle/contract/notice/notice'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { listPage } from '../../admin/listPage'
import { can } from '../../live/session'
import { useText } from '../../ui/text'
import { NotificationDrawer } from './notificationDrawer'

const writing = screenOf('xtgl/xzxxtz')

function Actions() {
  const t = useText('notice')
  if (!can(writing.access)) return null
  return (
    <Link to={writing.path} className="btn btn-main">
      {t('action.write')}
    </Link>
  )
}

/** For whoever speaks to merchants, a few times a week: what went out, and how many have read it. */
export default listPage({
  screen: 'xtgl/xxtz',
  list: listNotifications,
  fields: notification.fields,
  words: 'notice',
  columns: [
    'title',
    'state',
    'typeLabel',
    'target',
    'readCount',
    'receivers',
    'expected',
    'at',
    'channels',
    'authorName',
    'merchantName',
  ],
  hidden: ['expected', 'channels', 'merchantName'],
  filters: ['q', 'state', 'target'],
  actions: Actions,
  drawer: NotificationDrawer,
  live: { kinds: ['notification'], also: [getNotification] },
})
