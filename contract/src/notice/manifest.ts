import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as alarmLogCalls from './alarmLog'
import * as bellCalls from './bell'
import * as messageTypeCalls from './messageType'
import * as noticeCalls from './notice'
import * as pushCalls from './push'
import * as pushSettingCalls from './pushSetting'

export const notice: Manifest = {
  endpoints: endpointsIn([alarmLogCalls, bellCalls, messageTypeCalls, noticeCalls, pushCalls, pushSettingCalls]),
  exports: [
    exportable(noticeCalls.listNotifications, noticeCalls.notification.fields, 'notice', 'xtgl/xxtz'),
    exportable(messageTypeCalls.listMessageTypes, messageTypeCalls.messageType.fields, 'notice', 'xtgl/xxlx'),
    exportable(pushCalls.listPushMessages, pushCalls.pushMessageFields, 'notice', 'xtgl/xxts'),
    exportable(alarmLogCalls.listAlarmLog, alarmLogCalls.alarmLogFields, 'notice', 'xtgl/bjrz'),
  ],
}
