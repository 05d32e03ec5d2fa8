// Schedules that broke the engine once.

export const KEPT: readonly { rule: string; schedule: string }[] = [
  {
    rule: 'an end that is pressed before the page has a token reaches the service',
    schedule:
      '{"seed":506639818,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",2,286,120],["close",3,5,10],["end",1,500,120]]}',
  },
  {
    rule: 'an end that is pressed while the socket is lost and the token is gone reaches the service',
    schedule:
      '{"seed":16,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["say",3,253,4000],["online",1,134,1],["reload",2,901,9000],["end",2,376,1]]}',
  },
  {
    rule: 'a first piece that comes late moves its answer to where it began',
    schedule:
      '{"seed":310892185,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":0,"named":true,"heartbeatSeconds":30},"commands":[["send",3,391,9000],["mangle",1,44,0],["say",2,225,0],["say-two",1,322,4000]]}',
  },
  {
    rule: 'an echo that names no message confirms one of two tabs that said the same',
    schedule:
      '{"seed":190056121,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":30,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["mangle",1,118,9000],["open",3,216,10],["new-tab",0,325,4000],["send",3,970,0],["host",3,13,2000],["sleep",3,909,300],["send",3,412,2000],["send",2,670,1],["mishap",1,276,300],["retry",1,72,0]]}',
  },
  {
    rule: 'a page that was frozen does not send what its copy has sent',
    schedule:
      '{"seed":622846247,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["burst",0,865,0],["freeze",2,587,120],["duplicate",1,257,2000]]}',
  },
  {
    rule: 'a tab that comes back after the others went on sees how its session ended',
    schedule:
      '{"seed":77229491,"profile":{"dedupe":false,"metadata":true,"streaming":true,"wholeReplay":false,"batch":1,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["duplicate",2,741,40],["cut",3,969,4000],["say-two",1,320,120],["host",1,105,1],["send",2,496,0],["send",1,793,4000],["sleep",1,863,10]]}',
  },
  {
    rule: 'the agent is not asked to join in vain while an end is under way',
    schedule:
      '{"seed":624544949,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":false,"wholeReplay":true,"batch":1,"batchDelay":900,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["handoff",1,704,2000],["create",1,1019,1],["close",2,637,0],["new-tab",1,212,120],["logout",1,1022,4000],["hide",2,379,120],["type",1,0,300],["end-sending",0,717,0],["send",3,5,700],["hide",0,1021,700],["see",1,26,300],["mishap",0,0,2000],["mishap",1,918,120],["restart-service",1,659,1],["mangle",0,553,2000],["mangle",1,898,700],["cut",1,681,4000],["say-two",3,1019,2000],["halve",3,98,40],["end",0,215,9000]]}',
  },
  {
    rule: 'an act of the visitor makes a session where too many were refused',
    schedule:
      '{"seed":622310807,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":true,"wholeReplay":true,"batch":3,"batchDelay":0,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["host",2,799,10],["wild",3,704,300],["leave-sending",2,285,4000],["stall",0,178,9000],["create",0,227,9000],["sleep",3,11,4000]]}',
  },
  {
    rule: 'a store that could not forget a session does not bring it back',
    schedule:
      '{"seed":971316540,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":true,"wholeReplay":true,"batch":3,"batchDelay":30,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["retry",1,324,300],["restart-service",2,460,0],["hostile",3,57,0],["storage",1,111,0],["focus",1,695,4000]]}',
  },
  {
    rule: 'what was given up in a session is confirmed by its echo in the same session',
    schedule:
      '{"seed":492641432,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["duplicate",3,475,0],["say-cut",3,244,4000],["reload",0,621,0],["mishap",2,287,300],["new-tab",0,939,700],["mangle",3,850,4000],["clock",1,157,0],["send",3,219,700],["reload",0,315,40]]}',
  },
  {
    rule: 'a tab that takes over from one with a hole asks for the whole history',
    schedule:
      '{"seed":908217109,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":900,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["bulk",3,123,300],["say",2,376,700],["close",0,960,40],["mangle",3,803,0],["send",0,499,0],["reload",1,925,2000],["new-tab",3,585,10],["send",3,875,300],["freeze",2,707,300]]}',
  },
  {
    rule: 'the end of a session is heard by all only once nothing is missing',
    schedule:
      '{"seed":449749592,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":true,"wholeReplay":true,"batch":1,"batchDelay":0,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["leave-sending",1,790,2000],["mangle",1,517,1],["end-sending",1,828,120]]}',
  },
  {
    rule: 'a message whose echo is missing as the session ends is looked for before it goes into the next one',
    schedule:
      '{"seed":308816282,"profile":{"dedupe":false,"metadata":true,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":30,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["new-tab",1,646,9000],["new-tab",0,342,0],["send",3,593,0],["mishap",3,146,9000],["mishap",2,153,9000],["burst",2,561,2000],["sleep",0,349,40]]}',
  },
  {
    rule: 'a tab does not count as idle what the owner of the socket knows to be in use',
    schedule:
      '{"seed":337454619,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":30,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["new-tab",2,476,0],["reload",0,79,0],["bulk",0,193,120],["retry",0,8,300],["clock",0,809,40]]}',
  },
  {
    rule: 'what was sent is looked for from where it was sent, though a hole behind it was accepted',
    schedule:
      '{"seed":896804494,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":0,"named":false,"heartbeatSeconds":30},"commands":[["halve",1,295,9000],["mangle",3,594,10],["mangle",1,665,700],["mishap",1,50,4000],["mishap",3,609,0],["burst",2,159,40],["mishap",2,570,10],["idle",3,950,0]]}',
  },
  {
    rule: 'what was sent is looked for though the hole before its echo was accepted',
    schedule:
      '{"seed":24,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":0,"named":false,"heartbeatSeconds":30},"commands":[["mangle",2,398,40],["send",1,52,9000],["mangle",0,405,300],["halve",0,497,4000],["mangle",1,689,2000],["send",1,406,700],["send",3,588,40],["mishap",3,241,0],["mangle",3,625,10],["online",3,72,40],["send",1,760,700],["mishap",1,341,700],["send",1,984,1],["send",3,6,300],["retry",1,415,4000]]}',
  },
  {
    rule: 'a tab of an old session does not bring it back into a newer one',
    schedule:
      '{"seed":933789883,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":true,"wholeReplay":true,"batch":1000,"batchDelay":30,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["leave-sending",0,820,700],["host",2,411,9000],["mishap",3,783,9000],["new-tab",3,475,10],["send",0,136,300],["send",3,781,300],["send",1,420,4000],["focus",2,986,9000],["send",3,1005,4000],["hide",3,827,2000],["reload",2,445,40],["handoff",3,236,4000]]}',
  },
  {
    rule: 'an answer that was given while the machine slept past the time of inactivity is shown',
    schedule:
      '{"seed":5,"profile":{"dedupe":false,"metadata":true,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",0,1,9000],["send",0,1,18],["sleep",0,38,0]]}',
  },
  {
    rule: 'an answer that was given in a sleep that no clock counted is shown',
    schedule:
      '{"seed":5,"profile":{"dedupe":false,"metadata":true,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",0,1,9000],["send",0,1,18],["sleep",0,45,0]]}',
  },
]
