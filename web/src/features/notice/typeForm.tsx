import { type Language, languageNames, languages } from '@aisle/contract/kernel/text'
import { type MessageType, type Channel, urgencies } from '@aisle/contract/notice/messageType'
import { type ReactNode, useState } from 'react'
import { Tabs } from '../../ui/control/tabs'
import { useText } from '../../ui/text'
import { ChannelField } from './channelField'
import type { Faults } from './faults'
import { AreaField, RadioField, TextField } from './formParts'
import styles from './formParts.module.css'

export type TypeWords = Pick<MessageType, 'name' | 'title' | 'body' | 'urgency' | 'variables' | 'smsTemplate'> & {
  channels: Channel[]
}

const four = { zh: '', en: '', fr: '', ko: '' }
export const noWords: TypeWords = {
  name: four,
  title: four,
  body: four,
  channels: ['web'],
  urgency: 'canWait',
  variables: [],
  smsTemplate: null,
}

/** The words of a type by language, with what a receiver would see; then how it goes out. */
export function TypeForm(props: {
  words: TypeWords
  change: (part: Partial<TypeWords>) => void
  faults: Faults
  isSystem: boolean
  isRequired: boolean
}) {
  const { words, change, faults, isSystem, isRequired } = props
  const t = useText('notice')
  return (
    <>
      <Languages {...props} />
      {isSystem ? (
        <p className={styles.formNote}>
          {t('type.variables')} {words.variables.map((name) => `{{${name}}}`).join(' ') || '–'}
        </p>
      ) : (
        <TextField
          label={t('field.variables')}
          rule={t('rule.variables')}
          fault={faultBelow(faults, 'variables')}
          value={words.variables.join(',')}
          onChange={(text) => change({ variables: text === '' ? [] : text.split(',').map((name) => name.trim()) })}
        />
      )}
      <ChannelField
        rule={t('rule.channels')}
        fault={faultBelow(faults, 'channels')}
        chosen={words.channels}
        onChange={(value) => change({ channels: value })}
      />
      <RadioField
        label={t('field.urgency')}
        rule={isRequired ? t('type.required') : t('rule.urgency')}
        options={urgencies
          .filter((value) => !isRequired || value === 'now')
          .map((value) => ({ value, word: t.any(`urgency.${value}`) }))}
        value={words.urgency}
        onChange={(urgency) => change({ urgency })}
      />
      {words.channels.includes('sms') && (
        <TextField
          label={t('field.smsTemplate')}
          rule={t('rule.smsTemplate')}
          fault={faults.smsTemplate}
          value={words.smsTemplate ?? ''}
          onChange={(text) => change({ smsTemplate: text === '' ? null : text })}
        />
      )}
    </>
  )
}

function Languages({ words, change, faults }: Parameters<typeof TypeForm>[0]): ReactNode {
  const t = useText('notice')
  const [tab, setTab] = useState<string>('zh')
  const panel = (language: Language) => {
    const put = (part: 'name' | 'title' | 'body') => (value: string) =>
      change({ [part]: { ...words[part], [language]: value } })
    return (
      <div className={styles.messageForm} lang={language}>
        <TextField
          label={t('field.name')}
          fault={faults[`name.${language}`]}
          value={words.name[language]}
          onChange={put('name')}
        />
        <TextField
          label={t('field.title')}
          fault={faults[`title.${language}`]}
          value={words.title[language]}
          onChange={put('title')}
        />
        <AreaField
          label={t('field.body')}
          rule={t('rule.template')}
          fault={faults[`body.${language}`]}
          value={words.body[language]}
          onChange={put('body')}
        />
        <div className={styles.messagePreview}>
          <small>{t('section.preview')}</small>
          <b>{sample(words.title[language], t.any)}</b>
          <p>{sample(words.body[language], t.any)}</p>
        </div>
      </div>
    )
  }
  const isWrong = (language: Language) => Object.keys(faults).some((path) => path.endsWith(`.${language}`))
  return (
    <div>
      <Tabs
        label={t('section.languages')}
        current={tab}
        onPick={setTab}
        tabs={languages.map((language) => ({
          key: language,
          label: `${languageNames[language]}${isWrong(language) ? ' •' : ''}`,
          panel: panel(language),
        }))}
      />
    </div>
  )
}

/** As a receiver would read it, with the names of the variables where their values will stand. */
const sample = (text: string, word: (key: string, vars: { name: string }) => string): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => word('type.sample', { name }))

const faultBelow = (faults: Faults, path: string): string | undefined =>
  faults[path] ?? Object.entries(faults).find(([each]) => each.startsWith(`${path}.`))?.[1]
