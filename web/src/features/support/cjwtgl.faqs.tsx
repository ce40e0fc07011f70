import { faqState, publishFaq } from '@aisle/contract/support/faq'
import { CommandButton } from '../../admin/commandButton'
import { listPage } from '../../admin/listPage'
import type { DrawerRow } from '../../admin/rowDrawer'
import { useText } from '../../ui/text'
import { faqs } from './faqs'

/** For support, weekly: what is published, in which order, and which language is still missing. */
export default listPage({
  screen: 'shkf/cjwtgl',
  ...faqs.page({
    columns: ['question', 'topic', 'readers', 'place', 'written', 'state'],
    filters: ['q', 'topic', 'reader', 'state'],
    moreFilters: ['written', 'missing'],
    drawer: FaqDrawer,
  }),
})

function FaqDrawer({ id }: DrawerRow) {
  const t = useText('support')
  return (
    <faqs.Drawer
      id={id}
      title={({ question }) => question}
      tags={['state', 'topic']}
      verbs={({ state }) =>
        faqState.can(state, 'publish') && (
          <CommandButton
            t={t}
            endpoint={publishFaq}
            verb="publishFaq"
            target={{ id }}
            tone="main"
            changes={faqs.shown}
          />
        )
      }
    >
      {(row) => (
        <>
          {(row.readers.includes('customers') || row.onMachines.shown > 0) && <p>{t('onMachines', row.onMachines)}</p>}
          <faqs.Known row={row} without={['question', 'state', 'topic']} />
        </>
      )}
    </faqs.Drawer>
  )
}
