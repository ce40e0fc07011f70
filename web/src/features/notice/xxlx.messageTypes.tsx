import { addMessageType, listMessageTypes, messageType } from '@aisle/contract/notice/messageType'
import { useState } from 'react'
import { listPage } from '../../admin/listPage'
import { can } from '../../live/session'
import { useText } from '../../ui/text'
import { TypeDialog } from './typeDialog'
import { TypeDrawer } from './typeDrawer'

function Actions() {
  const t = useText('notice')
  const [isOpen, setOpen] = useState(false)
  if (!can(addMessageType.access)) return null
  return (
    <>
      <button type="button" className="btn btn-main" onClick={() => setOpen(true)}>
        {t('action.addType')}
      </button>
      {isOpen && <TypeDialog onClose={() => setOpen(false)} />}
    </>
  )
}

/** For the platform's administrator, rarely: what the product says to people, in which words and how urgently. */
export default listPage({
  screen: 'xtgl/xxlx',
  list: listMessageTypes,
  fields: messageType.fields,
  words: 'notice',
  columns: ['code', 'label', 'channels', 'urgency', 'state', 'isSystem'],
  filters: ['q', 'channel', 'urgency', 'state'],
  actions: Actions,
  drawer: TypeDrawer,
  live: { kinds: ['messageType'], also: [] },
})
