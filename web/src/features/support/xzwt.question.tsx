import { screenOf } from '@aisle/contract/screens'
import { addFaq, faq, listFaqs } from '@aisle/contract/support/faq'
import { addFeedback, feedbackFields, listFeedback, summariseFeedback } from '@aisle/contract/support/feedback'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Form } from '../../admin/form/form'
import { refetch } from '../../live/query'
import { Tabs } from '../../ui/control/tabs'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { faqGroups } from './faqs'

/** For support on the telephone: a question that comes again is written down, one that has no answer yet is told. */
export default function AddQuestion() {
  const t = useText('support')
  const title = useText('screens')('shkf/xzwt')
  const [tab, setTab] = useState('faq')
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      <Tabs
        label={title}
        current={tab}
        onPick={setTab}
        tabs={[
          { key: 'faq', label: t('question.faq'), panel: <NewFaq /> },
          { key: 'feedback', label: t('question.feedback'), panel: <NewFeedback /> },
        ]}
      />
    </div>
  )
}

function NewFaq() {
  const t = useText('support')
  const navigate = useNavigate()
  return (
    <Form
      spec={{ t, endpoint: addFaq, fields: faq.fields, groups: faqGroups, initial: { place: 100 } }}
      save={t('verb.addFaq')}
      onSaved={async ({ id }) => {
        toast('good', t('verb.addFaq.done'))
        await refetch(listFaqs)
        await navigate({ to: screenOf('shkf/cjwtgl').path, search: { open: String(id) } })
      }}
    />
  )
}

function NewFeedback() {
  const t = useText('support')
  const navigate = useNavigate()
  const fields = { kind: feedbackFields.kind, body: { kind: 'longText' as const } }
  return (
    <Form
      spec={{ t, endpoint: addFeedback, fields, names: ['kind', 'body', 'contact'], initial: { kind: 'problem' } }}
      save={t('feedback.send')}
      onSaved={async ({ id }) => {
        toast('good', t('question.told'))
        await refetch(listFeedback, summariseFeedback)
        await navigate({ to: screenOf('shkf/wtfk').path, search: { open: String(id) } })
      }}
    />
  )
}
