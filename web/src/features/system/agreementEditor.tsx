import type { CallOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { languageNames, languages } from '@aisle/contract/kernel/text'
import {
  agreementState,
  createAgreement,
  editAgreement,
  getAgreement,
  listAgreements,
} from '@aisle/contract/system/agreement'
import { useId, useState } from 'react'
import { useRow } from '../../admin/form/useRow'
import { refetch, useCommand, useEndpoint } from '../../live/query'
import type { CallFailure } from '../../live/failure'
import { toast } from '../../ui/feedback/notice'
import { Tabs } from '../../ui/control/tabs'
import { useText } from '../../ui/text'
import styles from './settings.module.css'

type Words = Required<CallOf<typeof createAgreement>>
type Detail = OutputOf<typeof getAgreement>
const suffixes = { zh: 'Zh', en: 'En', fr: 'Fr', ko: 'Ko' } as const
const none: Words = {
  titleZh: '',
  titleEn: '',
  titleFr: '',
  titleKo: '',
  bodyZh: '',
  bodyEn: '',
  bodyFr: '',
  bodyKo: '',
}

/** A version's texts, a tab a language: to write while it is a draft, to read afterwards. */
export function AgreementEditor({ id, onClose }: { id: number | null; onClose: () => void }) {
  const kernel = useText('kernel')
  const found = useEndpoint(getAgreement, { id: id ?? 0 }, { enabled: id !== null, staleTime: 0, gcTime: 0 })
  if (id === null) return <Editor detail={null} onClose={onClose} />
  if (!found.data) return <p role="status">{kernel('loading')}</p>
  return <Editor key={found.data.id} detail={found.data} onClose={onClose} />
}

function Editor({ detail, onClose }: { detail: Detail | null; onClose: () => void }) {
  const t = useText('system')
  const kernel = useText('kernel')
  const row = useRow(detail ? wordsOf(detail) : none, detail?.version ?? 0)
  const words = row.values
  const [tab, setTab] = useState<string>('zh')
  const mayEdit = detail === null || agreementState.can(detail.state, 'edit')
  const { save, failure, isPending } = useSaving(detail, row, onClose)
  const problem = mayEdit && (words.titleZh.trim() === '' || words.bodyZh.trim() === '')
  return (
    <form
      className={styles.agreementEditor}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (mayEdit && !problem && !isPending) save(words)
      }}
    >
      <h2>{detail?.number ? t('agreement.number', { number: detail.number }) : t('agreement.draftTitle')}</h2>
      <Tabs
        label={t('agreement.languages')}
        current={tab}
        onPick={setTab}
        tabs={languages.map((language) => ({
          key: language,
          label: languageNames[language],
          panel: (
            <LanguageWords
              title={words[`title${suffixes[language]}`]}
              body={words[`body${suffixes[language]}`]}
              lang={language}
              isReadOnly={!mayEdit}
              onTitle={(text) => row.change({ [`title${suffixes[language]}`]: text })}
              onBody={(text) => row.change({ [`body${suffixes[language]}`]: text })}
            />
          ),
        }))}
      />
      {problem && <p className={styles.settingSource}>{t('agreement.chineseFirst')}</p>}
      {failure && <Fault failure={failure} />}
      <div className={styles.settingActions}>
        {mayEdit && (
          <button type="submit" className="btn btn-main" aria-disabled={problem || isPending}>
            {t('agreement.save')}
          </button>
        )}
        <button type="button" className="btn" onClick={onClose}>
          {kernel(mayEdit ? 'action.cancel' : 'action.close')}
        </button>
      </div>
    </form>
  )
}

type Row = Pick<ReturnType<typeof useRow<Words, number>>, 'version' | 'goOnFrom'>

function useSaving(detail: Detail | null, { version, goOnFrom }: Row, onClose: () => void) {
  const t = useText('system')
  const onSuccess = async () => {
    toast('good', t('agreement.saved'))
    await refetch(listAgreements)
    onClose()
  }
  const creating = useCommand(createAgreement, { errors: 'throw', onSuccess })
  const editing = useCommand(editAgreement, { errors: 'throw', onSuccess })
  return {
    save: (words: Words) =>
      detail ? editing.mutate({ id: detail.id, version, ...words }, { onError: goOnFrom }) : creating.mutate(words),
    failure: creating.error ?? editing.error,
    isPending: creating.isPending || editing.isPending,
  }
}

const wordsOf = (detail: Detail): Words =>
  Object.fromEntries(Object.keys(none).map((name) => [name, detail[name as keyof Words]])) as Words

function LanguageWords(props: {
  title: string
  body: string
  lang: string
  isReadOnly: boolean
  onTitle: (text: string) => void
  onBody: (text: string) => void
}) {
  const { title, body, lang, isReadOnly, onTitle, onBody } = props
  const t = useText('system')
  const id = useId()
  return (
    <div className={styles.agreementWords} lang={lang}>
      <label htmlFor={`${id}-title`}>{t('field.title')}</label>
      <input
        id={`${id}-title`}
        type="text"
        maxLength={80}
        readOnly={isReadOnly}
        value={title}
        onChange={(event) => onTitle(event.target.value)}
      />
      <label htmlFor={`${id}-body`}>{t('field.body')}</label>
      <textarea
        id={`${id}-body`}
        rows={14}
        maxLength={20_000}
        readOnly={isReadOnly}
        value={body}
        onChange={(event) => onBody(event.target.value)}
      />
    </div>
  )
}

function Fault({ failure }: { failure: CallFailure }) {
  return (
    <div className="fault" role="alert">
      <p>{failure.message}</p>
      {failure.fields
        .filter(({ path }) => path !== 'version')
        .map(({ path, msg }) => (
          <p key={path}>{msg}</p>
        ))}
    </div>
  )
}
