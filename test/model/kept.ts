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
      '{"seed":7919,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":0,"named":true,"heartbeatSeconds":30},"commands":[["send",3,391,9000],["mangle",1,44,0],["say",2,225,0],["say-two",1,322,4000]]}',
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
      '{"seed":15839,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":900,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["bulk",3,123,300],["say",2,376,700],["mangle",3,803,0],["send",0,499,0],["reload",1,925,2000],["new-tab",3,585,10],["send",3,875,300],["freeze",2,707,300]]}',
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
  {
    rule: 'the owner asks for what another tab sent from where that was sent',
    schedule:
      '{"seed":933857129,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":3,"batchDelay":30,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["hide",3,901,10],["say-cut",2,716,120],["close",2,243,120],["cookie",1,674,120],["say-cut",3,88,1],["say-live",0,76,120],["send",3,361,40],["open",1,670,700],["halve",3,73,2000],["mishap",2,481,700],["retry",3,706,9000],["sleep",0,278,10],["cut",0,544,2000],["mishap",0,311,1],["send",3,123,2000],["mangle",0,102,1],["host",3,859,40],["mishap",0,433,0],["mangle",3,20,0],["mangle",0,106,700],["reload",3,317,2000],["mishap",0,930,4000],["mangle",2,86,700],["see",3,683,40],["leave-sending",2,829,0],["logout",1,83,700],["mangle",2,735,4000],["send",1,151,2000],["duplicate",2,787,300],["mishap",0,2,10],["send",1,884,2000],["idle",0,502,10],["send",1,670,300],["cut",0,849,0],["mangle",2,206,10],["burst",3,370,2000],["type",2,127,9000],["halve",2,494,0]]}',
  },
  {
    rule: 'of two tabs that said the same words one is confirmed by each echo',
    schedule:
      '{"seed":1039271067,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["say-cut",3,723,4000],["host",2,615,700],["send",1,684,120],["open",3,144,40],["mishap",2,391,40],["keep",3,185,300],["send",0,508,9000],["leave-sending",2,297,0],["new-tab",0,226,300],["duplicate",2,193,10],["mangle",2,220,0],["mishap",3,664,1],["mishap",2,572,10],["send",0,277,700],["send",1,5,0],["hide",1,685,300],["reload",0,462,40],["new-tab",0,171,2000],["retry",1,445,4000],["discard",3,555,120],["reload",2,382,0],["cut",1,914,0],["send",2,995,120]]}',
  },
  {
    rule: 'a tab without a socket of its own knows that another speaks for it',
    schedule:
      '{"seed":1061663767,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":3,"batchDelay":900,"hasty":false,"shuffled":false,"firstIndex":0,"named":true,"heartbeatSeconds":0},"commands":[["focus",2,565,10],["open",2,2,10],["hide",0,506,4000],["retry",3,675,2000],["send",3,496,300],["mishap",3,565,40],["host",2,622,4000],["reload",0,847,0],["stall",2,228,700],["open",2,410,40],["cut",2,5,0],["mangle",3,0,300],["sleep",3,814,120],["send",3,1018,700],["new-tab",2,995,10],["hide",3,554,10],["restart",0,484,4000],["create",0,908,2000],["stall",0,647,0],["halve",2,1016,10],["cookie",1,960,700],["hide",2,704,40],["cut",3,362,700],["hide",0,99,2000],["retry",2,467,700],["wild",3,882,300],["reload",0,329,9000],["send",1,635,4000],["mangle",3,85,0],["agent-ends",3,337,2000],["handoff",0,1019,120],["retry",3,493,2000],["focus",3,704,2000],["mishap",2,491,4000],["send",1,918,300],["send",1,0,9000],["say-two",3,571,0],["retry",2,3,0],["mangle",0,223,2000],["logout",1,137,1],["send",1,3,2000],["open",1,89,300],["leave-sending",1,1,9000],["restart-service",3,393,4000],["mangle",1,1021,40],["mangle",1,50,1],["retry",0,4,700],["open",2,621,120],["cut",3,409,40],["mangle",2,313,40],["duplicate",2,532,10],["send",1,7,10],["say",2,9,300],["type",2,629,700],["mishap",3,9,0],["sleep",2,993,10],["type",0,610,1],["restart-service",3,434,2000],["open",3,1,1],["send",0,6,0],["hide",0,831,1],["mangle",1,782,700],["say-cut",2,682,2000],["wild",0,782,0],["cut",0,129,0],["send",2,925,9000],["close",0,8,0],["send",3,1014,0],["new-tab",0,0,9000],["say",1,890,2000],["hide",1,817,1],["mangle",3,429,10],["create",0,1019,9000],["reload",3,287,2000],["halve",1,590,2000],["say",0,0,0],["open",2,363,0],["create",2,999,120],["mishap",2,179,4000],["wild",0,929,300],["sleep",1,762,9000],["wild",0,1023,0],["mangle",1,578,4000],["duplicate",2,0,300],["cookie",2,495,40],["mangle",0,279,0],["hide",1,915,300],["discard",0,1022,4000],["mishap",3,865,120],["restart-service",0,788,300],["halve",2,605,120],["send",3,249,0],["host",0,8,4000],["burst",0,520,700],["send",1,7,40],["idle",1,956,40],["open",2,0,700],["retry",1,958,120],["mangle",1,232,40],["mangle",3,1021,300],["restart",0,144,120]]}',
  },
  {
    rule: 'a live conversation is not given up for one that is over in another tab',
    schedule:
      '{"seed":388545968,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":0,"named":false,"heartbeatSeconds":30},"commands":[["retry",1,587,2000],["halve",0,604,120],["agent-ends",1,1022,120],["duplicate",3,546,40],["storage",1,79,4000],["send",2,260,9000],["send",2,469,0],["storage",1,1023,300]]}',
  },
  {
    rule: 'a page that wakes after its copy has sent its messages does not send them',
    schedule:
      '{"seed":5,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",0,1,9000],["host",0,0,0],["burst",0,865,0],["freeze",0,587,120],["duplicate",1,257,4000]]}',
  },
  {
    rule: 'what is missing as a session ends is asked for',
    schedule:
      '{"seed":5,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",0,1,9000],["mangle",0,0,0],["say",0,1,100],["agent-ends",0,0,2000]]}',
  },
  {
    rule: 'a tab that comes back late leads no other into the session that ended meanwhile',
    schedule:
      '{"seed":438539051,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":0,"named":false,"heartbeatSeconds":0},"commands":[["new-tab",2,403,120],["reload",0,444,700],["hide",0,1002,0],["freeze",1,385,40],["send",1,792,4000],["agent-ends",2,179,2000],["end-sending",0,310,0]]}',
  },
  {
    rule: 'a tab whose socket another owns does not count its session as expired by its own clock',
    schedule:
      '{"seed":7,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":false,"wholeReplay":true,"batch":3,"batchDelay":0,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["hostile",0,137,120],["new-tab",1,1018,2000],["mangle",1,880,9000],["send",0,65,700],["online",0,343,300],["clock",0,957,0]]}',
  },
  {
    rule: 'of three copies of the same words the last is confirmed by the last echo',
    schedule:
      '{"seed":9,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":6000,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["duplicate",2,885,300],["duplicate",0,957,40],["new-tab",3,339,1],["send",0,595,1],["close",2,415,2000],["reload",3,752,9000],["send",3,360,0],["online",3,898,0],["mishap",1,201,120],["send",3,230,1],["reload",3,1011,2000],["bulk",3,526,4000],["mishap",1,250,4000],["idle",1,457,10]]}',
  },
  {
    rule: 'a session that its owner gave up is ended for the tab that is still in it',
    schedule:
      '{"seed":1073741822,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":true,"wholeReplay":true,"batch":1,"batchDelay":900,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["host",2,351,2000],["new-tab",3,799,2000],["idle",2,797,0],["end",1,760,300],["send",1,905,1]]}',
  },
  {
    rule: 'a batch without a readable event is no replay',
    schedule:
      '{"seed":1052199410,"profile":{"dedupe":false,"metadata":true,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":6000,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["mishap",3,97,1],["send",2,221,9000],["wild",0,581,9000],["wild",3,305,2000]]}',
  },
  {
    rule: 'what is missing among the events during a replay is a hole',
    schedule:
      '{"seed":830774632,"profile":{"dedupe":false,"metadata":true,"streaming":true,"wholeReplay":false,"batch":3,"batchDelay":900,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["sleep",3,590,2000],["duplicate",3,20,4000],["storage",0,845,0],["send",3,7,2000],["mangle",1,0,700],["say",2,5,10],["sleep",3,624,300]]}',
  },
  {
    rule: 'a session that was made as a proof long ago is not the next one',
    schedule:
      '{"seed":807811575,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":0,"named":false,"heartbeatSeconds":7},"commands":[["new-tab",1,250,40],["bff",1,830,2000],["wild",3,669,120],["hide",0,296,120],["burst",2,644,1],["send",2,969,0],["cut",0,396,40],["host",3,712,700],["reload",3,943,2000],["idle",0,24,120],["end-sending",3,860,9000],["send",2,455,4000],["end-sending",0,466,0],["restart-service",2,841,9000],["leave-sending",1,575,300],["reload",2,171,120],["new-tab",2,346,2000],["hide",0,716,2000]]}',
  },
  {
    rule: 'a tab that takes over joins the conversation that the browser has the token of',
    schedule:
      '{"seed":762845212,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["mishap",2,542,300],["online",2,776,9000],["duplicate",0,634,700],["hide",3,278,4000],["sleep",1,920,0],["host",1,482,1],["mishap",2,740,1],["send",1,236,2000],["mangle",2,730,0],["hostile",0,937,0],["leave-sending",2,987,0],["send",1,742,10],["mangle",0,283,0],["cut",0,141,4000],["open",3,177,120],["burst",2,623,2000],["sleep",3,241,2000]]}',
  },
  {
    rule: 'a tab that hears late of a sign-out leaves the next conversation alone',
    schedule:
      '{"seed":7,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":900,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["leave-sending",1,758,40],["new-tab",1,718,1],["close",1,520,120],["new-tab",3,268,9000],["logout",2,523,2000],["send",0,1,4000],["freeze",3,664,1],["close",1,334,120],["send",3,742,300],["halve",3,596,700],["say",0,79,300],["hide",0,115,700],["say",3,555,120]]}',
  },
  {
    rule: 'a session that was made as a proof is not used after another tab owned the socket, even for a tab that was over',
    schedule:
      '{"seed":937389815,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":900,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["new-tab",1,297,4000],["host",2,649,0],["burst",0,648,10],["hide",0,416,0],["end-sending",1,598,120],["idle",0,633,9000],["send",3,932,4000],["end",3,848,300],["reload",1,323,4000],["say",1,565,9000],["focus",1,267,40]]}',
  },
  {
    rule: 'a copy and its original, which begins anew in the same moment, send their message once',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":900,"hasty":true,"shuffled":true,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["mishap",1,1,0],["burst",3,1,0],["duplicate",0,1,0],["reload",0,1,9000]]}',
  },
  {
    rule: 'an end in a tab that has no session of its own leaves the conversation of the others',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":true,"shuffled":false,"firstIndex":0,"named":true,"heartbeatSeconds":30},"commands":[["new-tab",3,1,9000],["logout",1,1,0],["new-tab",0,1,9000],["bff",2,566,0],["reload",0,1,9000],["end",0,1,0],["sleep",2,1,9000],["online",3,1,0]]}',
  },
  {
    rule: 'an answer is shown as far as it came where the token of its session is lost with the page',
    schedule:
      '{"seed":3,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":true,"wholeReplay":true,"batch":3,"batchDelay":30,"hasty":true,"shuffled":false,"firstIndex":0,"named":true,"heartbeatSeconds":30},"commands":[["freeze",2,1,0],["new-tab",0,1,9000],["new-tab",3,1,9000],["sleep",1,734,0],["new-tab",1,1,9000],["leave-sending",0,1,700],["reload",0,1,0],["sleep",1,74,0]]}',
  },
  {
    rule: 'a tab that comes later is told every chunk of an answer, though several came in one frame of the screen',
    schedule:
      '{"seed":14,"profile":{"dedupe":false,"metadata":true,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":true,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["idle",1,931,0],["reload",2,6,9000],["duplicate",0,784,0]]}',
  },
  {
    rule: 'a fourth hole in a minute is asked for too',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":3,"batchDelay":900,"hasty":false,"shuffled":true,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["mishap",2,1,0],["mishap",1,1,0],["mishap",2,1,0],["burst",2,1,0],["send",3,1,9000],["mangle",1,718,9000]]}',
  },
  {
    rule: 'what was sent is not called unsent before the replay of an ended session has come to its end',
    schedule:
      '{"seed":1073741817,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":true,"wholeReplay":true,"batch":1,"batchDelay":30,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["mishap",1,2,0],["send",2,965,2000],["end-sending",3,1021,40]]}',
  },
  {
    rule: 'what is written in the second after a refusal is sent',
    schedule:
      '{"seed":671515918,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":true,"wholeReplay":true,"batch":3,"batchDelay":900,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["idle",0,963,1],["restart",2,633,4000],["reload",0,464,9000],["open",2,856,40],["close",1,300,9000],["type",3,276,300],["retry",1,683,700],["say",0,418,0],["type",3,894,300],["online",3,847,2000],["freeze",3,552,300],["say",0,496,9000],["wild",0,805,120],["burst",2,186,9000],["send",2,947,40],["burst",0,87,2000],["duplicate",3,132,120],["cut",0,27,120],["reload",2,416,300],["bff",1,369,120],["restart",2,791,0],["hide",3,429,2000]]}',
  },
  {
    rule: 'an answer that was lost is shown before its session is over by our own clock',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["open",0,0,4000],["idle",0,0,0],["mangle",0,0,0],["say",0,0,0],["idle",0,3,0]]}',
  },
  {
    rule: 'an echo from before a message does not confirm it, though the words are the same',
    schedule:
      '{"seed":2,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["open",0,0,1000],["send",0,0,25000],["leave-sending",0,30,9000]]}',
  },
  {
    rule: 'what was seen before counts as read: it is not asked for again',
    schedule:
      '{"seed":1,"profile":{"dedupe":true,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["open",0,0,4000],["mangle",0,0,0],["say",0,0,100]]}',
  },
  {
    rule: 'what is on its way is not taken back by a discard, nor sent again by a copy of its page',
    schedule:
      '{"seed":220820904,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["stall",2,65,700],["send",2,757,4000],["duplicate",0,507,0],["discard",2,805,0]]}',
  },
  {
    rule: 'a tab that was not connected as the words of another were confirmed sends its own again',
    schedule:
      '{"seed":39595,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["say-cut",3,723,4000],["host",2,615,700],["send",1,684,120],["open",3,144,40],["mishap",2,391,40],["keep",3,185,300],["send",0,508,9000],["leave-sending",2,297,0],["new-tab",0,226,300],["duplicate",2,193,10],["mangle",2,220,0],["mishap",3,664,1],["mishap",2,572,10],["send",0,277,700],["send",1,5,0],["hide",1,685,300],["reload",0,462,40],["new-tab",0,171,2000],["retry",1,445,4000],["reload",2,382,0],["cut",1,914,0],["send",2,995,120]]}',
  },
  {
    rule: 'what is written after somebody signed out while the stores gave nothing outlives a reload',
    schedule:
      '{"seed":18378706,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":false,"wholeReplay":true,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["say-two",3,874,700],["duplicate",3,527,40],["logout",1,928,0],["storage",1,743,0],["idle",0,861,10],["send",3,767,700],["reload",1,391,10]]}',
  },
  {
    rule: 'an end reaches a service that takes long to tell the history',
    schedule:
      '{"seed":13,"profile":{"dedupe":false,"metadata":true,"streaming":true,"wholeReplay":false,"batch":3,"batchDelay":900,"hasty":false,"shuffled":true,"firstIndex":0,"named":true,"heartbeatSeconds":30},"commands":[["open",0,197,4000],["type",2,8,4000],["say",1,836,1],["send",0,121,120],["sleep",1,212,1],["open",2,694,40],["keep",1,7,2000],["send",1,200,300],["say-live",2,315,10],["host",1,0,120],["burst",1,217,40],["see",0,1016,2000],["burst",0,9,120],["mangle",0,564,0],["retry",2,606,9000],["send",1,656,10],["wild",1,314,2000],["mangle",2,232,9000],["online",2,9,10],["send",1,961,300],["say-cut",1,461,0],["send",0,150,4000],["reload",1,976,1],["end",0,226,9000]]}',
  },
  {
    rule: 'an end that went into a dead socket reaches the service though the visitor begins anew',
    schedule:
      '{"seed":598742947,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["reload",1,748,9000],["online",0,883,0],["open",1,172,0],["send",2,739,9000],["halve",3,806,10],["end",0,1007,300],["restart",0,1006,9000]]}',
  },
  {
    rule: 'of two tabs without a socket that said the same words one is confirmed by each echo',
    schedule:
      '{"seed":2,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["new-tab",0,1,4000],["new-tab",0,1,4000],["mishap",0,0,0],["send",1,5,0],["send",2,5,9000],["idle",0,0,0]]}',
  },
  {
    rule: 'a join that waits behind an end lets time pass',
    schedule:
      '{"seed":3,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":false,"wholeReplay":true,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["open",0,0,4000],["hostile",0,20,0],["restart",0,0,300],["halve",0,0,10],["end",0,0,9000]]}',
  },
  {
    rule: 'a session ends by our clock only behind the rest of its replay',
    schedule:
      '{"seed":948545757,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":false,"wholeReplay":true,"batch":3,"batchDelay":6000,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["duplicate",0,1018,0],["mishap",2,1009,40],["freeze",1,880,1],["send",1,998,9000],["send",0,501,300],["send",1,726,700],["say",2,827,4000],["sleep",0,977,40]]}',
  },
  {
    rule: 'an end reaches a session that was kept as a proof under the token of the one before',
    schedule:
      '{"seed":971606888,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":true,"wholeReplay":true,"batch":1000,"batchDelay":30,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["new-tab",0,192,0],["reload",0,889,40],["open",2,378,40],["new-tab",0,143,2000],["sleep",3,215,9000],["send",1,38,1],["send",0,57,9000],["hide",3,6,0],["online",3,134,700],["reload",2,1020,9000],["end",1,137,9000]]}',
  },
  {
    rule: 'a tab that comes back is told of typing that no replay tells, and ends nothing early',
    schedule:
      '{"seed":1,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":false,"wholeReplay":true,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["new-tab",0,1,4000],["idle",0,1,0],["freeze",1,3,0],["idle",0,0,0],["idle",0,0,0],["idle",0,0,0],["type",0,0,0],["idle",0,0,0],["idle",0,0,0],["idle",0,0,0],["idle",0,0,0],["hide",0,1,7000],["idle",0,0,0]]}',
  },
  {
    rule: 'a page that wakes after the others went on asks first for what is missing in its own session',
    schedule:
      '{"seed":590185594,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":true,"wholeReplay":true,"batch":3,"batchDelay":900,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",0,882,2000],["say",1,502,4000],["send",3,634,2000],["focus",0,151,4000],["wild",3,602,120],["send",0,494,9000],["close",2,917,300],["new-tab",0,985,0],["new-tab",0,692,0],["end-sending",0,459,4000],["send",3,47,1],["restart-service",3,960,4000],["host",3,794,9000],["wild",2,204,9000],["freeze",1,489,10],["send",2,942,4000],["end-sending",0,291,10],["idle",0,616,0],["keep",1,273,10],["restart",1,321,300],["retry",3,142,4000],["mangle",0,88,9000],["mishap",3,570,9000],["agent-ends",2,939,9000],["send",1,222,4000],["sleep",3,970,120],["freeze",0,474,4000],["burst",2,187,2000]]}',
  },
  {
    rule: 'an end that a tab made before another took the socket over reaches the service',
    schedule:
      '{"seed":1015754132,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":true,"wholeReplay":true,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["new-tab",0,822,10],["new-tab",2,17,4000],["host",3,564,2000],["reload",3,294,10],["burst",3,695,700],["end",0,180,4000],["freeze",0,502,700]]}',
  },
  {
    rule: 'a tab that wakes in the middle of an answer gets its rest from the one that has gone on',
    schedule:
      '{"seed":1044794031,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":900,"hasty":true,"shuffled":false,"firstIndex":1,"named":false,"heartbeatSeconds":30},"commands":[["send",2,576,9000],["retry",1,862,9000],["duplicate",0,483,700],["send",0,420,9000],["send",2,366,40],["new-tab",3,766,4000],["hide",2,89,2000],["close",0,900,2000],["cut",1,830,120],["halve",2,309,9000],["restart-service",0,189,2000],["new-tab",3,183,1],["say-two",1,427,120],["freeze",2,336,10],["sleep",1,691,300],["type",3,341,4000],["sleep",2,318,120],["freeze",2,406,40],["burst",3,864,700],["cut",3,687,9000]]}',
  },
  {
    rule: 'the replay of a session that is over is asked for its end once, however many parts it has',
    schedule:
      '{"seed":185382567,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":false,"wholeReplay":true,"batch":1,"batchDelay":30,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["leave-sending",3,26,0],["wild",3,293,300],["bff",0,447,300],["end-sending",2,778,300],["send",2,301,4000],["open",3,757,10],["freeze",3,845,120],["send",2,876,700],["send",1,331,2000],["mangle",1,923,2000],["create",2,815,2000],["reload",3,808,10],["send",0,540,1],["restart",2,25,9000],["reload",3,22,9000],["halve",0,436,700],["retry",3,813,10],["send",3,102,4000],["send",1,109,2000],["burst",0,422,0],["type",3,960,10],["online",0,754,9000],["retry",2,917,0],["burst",2,667,4000],["say-cut",2,464,2000],["reload",1,1021,4000],["handoff",0,315,4000],["mangle",3,961,9000],["close",2,521,2000],["hide",1,48,9000],["focus",2,131,1],["sleep",1,751,1],["say-two",2,48,120],["send",0,594,40],["say-cut",1,638,2000],["send",2,476,120],["mangle",0,316,700],["send",1,176,300],["say-live",0,87,9000],["cut",2,705,40],["send",1,260,40],["restart-service",3,943,9000],["see",1,608,9000],["wild",1,51,10],["send",0,99,40],["send",2,357,700],["reload",2,951,10],["send",0,136,0],["idle",2,426,4000],["say",1,167,2000],["halve",1,935,9000],["say-cut",3,109,0],["host",1,307,2000],["burst",3,477,300],["storage",1,798,700],["leave-sending",0,184,10],["online",2,569,1],["burst",1,214,9000],["mangle",0,137,4000],["type",1,694,2000],["host",3,355,700],["send",2,553,0],["end-sending",0,331,9000],["reload",3,217,9000],["mangle",0,1021,9000],["restart-service",2,346,4000]]}',
  },
  {
    rule: 'a tab that was frozen takes no echo for its own that another one has found to be its',
    schedule:
      '{"seed":149411448,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",3,725,40],["mangle",0,334,9000],["host",2,739,9000],["halve",3,118,0],["focus",3,904,0],["send",1,158,4000],["reload",2,884,0],["wild",2,325,4000],["hostile",0,518,0],["say-two",0,1000,120],["send",3,18,10],["see",2,152,120],["send",3,484,1],["type",1,848,10],["restart",3,552,9000],["open",1,894,40],["cut",1,846,0],["send",0,280,9000],["duplicate",1,638,10],["cut",2,89,1],["type",3,322,4000],["send",3,841,300],["hide",1,333,9000],["mishap",1,587,4000],["close",2,60,300],["mishap",1,431,40],["send",0,758,120],["leave-sending",0,17,9000],["say-cut",0,832,2000],["focus",3,206,10],["say-two",0,381,1],["mangle",1,248,300],["keep",0,828,0],["end-sending",2,889,0],["mangle",3,913,40],["burst",2,117,120],["host",3,593,300],["send",1,1002,700],["halve",0,108,4000],["hide",1,366,300],["send",2,644,4000],["hostile",0,411,4000],["bff",1,278,4000],["say-two",2,109,2000],["new-tab",1,232,40],["hostile",0,850,9000],["reload",3,177,40],["close",1,170,2000],["send",1,938,700],["clock",2,43,9000],["send",3,575,40],["reload",3,10,120],["send",2,320,2000],["sleep",0,634,300],["freeze",2,711,0],["reload",3,378,300],["leave-sending",3,438,4000]]}',
  },
  {
    rule: 'two echoes without a name in one batch confirm two messages',
    schedule:
      '{"seed":1015788153,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":false,"heartbeatSeconds":7},"commands":[["focus",1,161,120],["leave-sending",3,1014,300],["restart-service",1,1014,1],["send",3,510,2000],["end-sending",0,621,120],["send",0,0,1],["new-tab",2,1,0],["end-sending",0,537,120],["send",3,335,0],["send",3,360,2000],["reload",3,482,40],["say",1,850,300],["send",1,5,0],["duplicate",3,573,4000],["see",2,769,4000],["cut",0,1,1],["focus",1,463,0],["see",1,5,2000],["restart-service",3,827,1],["mishap",3,690,120],["restart-service",3,221,2000],["focus",2,1,40],["mangle",1,544,1],["halve",0,776,1],["see",3,1018,4000],["reload",3,367,0],["send",2,5,120],["send",2,345,0],["send",0,395,40],["send",1,65,120],["send",3,975,2000],["hide",0,548,300]]}',
  },
  {
    rule: 'what was typed during an outage keeps the conversation from when the service hears of it',
    schedule:
      '{"seed":421051426,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":true,"wholeReplay":true,"batch":3,"batchDelay":900,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["say-cut",1,0,2000],["host",1,749,300],["type",2,557,0],["idle",0,778,4000]]}',
  },
  {
    rule: 'a frozen page finds out about no dead socket',
    schedule:
      '{"seed":361003655,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":900,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",1,914,120],["handoff",0,378,9000],["open",2,917,120],["halve",1,742,0],["see",3,140,1],["retry",1,81,2000],["restart",0,349,2000],["freeze",3,979,120],["halve",1,400,0],["idle",3,467,9000]]}',
  },
  {
    rule: 'a tab that was frozen before it was ever live takes no other out of the conversation that goes on',
    schedule:
      '{"seed":24,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":3,"batchDelay":900,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["new-tab",1,827,120],["leave-sending",3,748,1],["freeze",2,575,0],["open",1,584,40],["duplicate",0,681,700],["halve",2,513,40],["mangle",2,596,120],["sleep",1,148,700],["send",3,1013,2000],["reload",2,946,2000],["online",0,535,10],["sleep",2,849,2000],["mangle",3,206,4000]]}',
  },
  {
    rule: 'a conversation that expired in a sleep is not called lost, whatever was written as the machine woke',
    schedule:
      '{"seed":1073741819,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1,"batchDelay":6000,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["mangle",2,829,0],["send",1,908,120],["sleep",2,612,120],["send",3,122,300],["idle",3,100,40],["send",2,903,1],["sleep",1,692,120],["mishap",0,510,9000],["burst",3,6,10]]}',
  },
  {
    rule: 'a tab that takes over goes where another one lacks the rest of an answer before it makes a session',
    schedule:
      '{"seed":600414632,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":30,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["cut",0,901,2000],["send",3,256,4000],["host",1,921,4000],["send",1,212,700],["new-tab",2,910,700],["say",2,452,0],["send",1,617,0],["leave-sending",0,864,0],["say",1,430,2000],["send",3,1021,0],["retry",0,1021,9000],["mangle",2,95,9000],["halve",3,504,9000],["mishap",1,8,40],["mishap",3,567,40],["close",3,7,9000],["sleep",2,0,300],["send",0,152,120],["storage",1,355,120],["end",2,224,40],["send",0,771,10],["new-tab",2,325,10],["say",0,322,300],["sleep",0,941,0]]}',
  },
  {
    rule: 'a page that has given up takes no other out of its conversation',
    schedule:
      '{"seed":12,"profile":{"dedupe":false,"metadata":true,"streaming":true,"wholeReplay":false,"batch":3,"batchDelay":900,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30,"frame":"text"},"commands":[["new-tab",0,5,2000],["duplicate",3,4,0],["create",0,1021,0],["hide",0,10,700],["storage",1,1015,4000],["send",2,273,700],["reload",1,505,1]]}',
  },
  {
    rule: 'a page that takes over goes on in the session of the others',
    schedule:
      '{"seed":288125571,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":false,"wholeReplay":true,"batch":1,"batchDelay":0,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30,"frame":"text"},"commands":[["duplicate",1,295,300],["send",2,551,0],["sleep",3,454,1]]}',
  },
  {
    rule: 'a page that stood still while it made a session joins the one that was made meanwhile',
    schedule:
      '{"seed":26,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["see",0,0,20],["stand-still",0,790,1],["new-tab",0,518,20000],["send",1,1,9000],["idle",0,0,0]]}',
  },
  {
    rule: 'of two tabs that are hidden at once one keeps its socket',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",0,1,9000],["new-tab",0,1,4000],["hide-all",0,1,0]]}',
  },
  {
    rule: 'a hidden tab that is alone keeps its socket',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",0,1,9000],["hide-all",0,1,0]]}',
  },
  {
    rule: 'a tab that gave its socket back connects when it is shown',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",0,1,9000],["new-tab",0,1,4000],["hide",0,0,0],["idle",0,1,60000],["idle",0,0,60000],["see",0,0,10000]]}',
  },
  {
    rule: 'a hidden tab keeps its socket while a message of it is not confirmed',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",0,1,9000],["new-tab",0,1,4000],["hide",0,0,0],["idle",0,0,0],["idle",0,0,0],["idle",0,0,0],["idle",0,0,59000],["mishap",0,0,0],["send",0,5,2000]]}',
  },
  {
    rule: 'a tab that is asked for its socket keeps it while an echo is still to come over it',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["open",0,0,4000],["eleven-tabs",0,3,0],["hide",0,0,0],["mishap",0,0,0],["send",0,1,10],["type",10,0,2000]]}',
  },
  {
    rule: 'a tab without a socket connects once another one is closed',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["open",0,0,4000],["eleven-tabs",0,3,0],["close",0,1,9000],["send",9,0,9000]]}',
  },
  {
    rule: 'two tabs whose service keeps one socket do not replace each other without end',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30,"older":"closed"},"commands":[["send",0,1,9000],["new-tab",0,1,60000],["send",0,1,9000],["idle",0,0,0]]}',
  },
  {
    rule: 'a tab that is not told of an event hears of it from another one, and asks for it',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30,"stored":"one"},"commands":[["send",0,1,9000],["new-tab",0,1,9000],["say",0,0,2000],["say",0,0,2000],["say",0,0,2000],["say",0,0,2000]]}',
  },
  {
    rule: 'a tab that is only open does not count as idle what another one is used for',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30,"idleSeconds":600},"commands":[["send",0,1,9000],["new-tab",0,1,9000],["type-elsewhere",0,1,0]]}',
  },
  {
    rule: 'a tab whose session takes no more sockets stays in it while another one is live there',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",0,1,9000],["new-tab",0,1,9000],["turn-away",0,2,0],["cut",1,1,0],["idle",0,0,0]]}',
  },
  {
    rule: 'a tab goes on in the session that another one began while it was connecting',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":6000,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["new-tab",2,1,120],["restart",1,0,700]]}',
  },
  {
    rule: 'a request that hangs is given up',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",0,1,9000],["bff",0,3,0],["reload",0,1,9000],["idle",0,0,0]]}',
  },
  {
    rule: 'a handshake that hangs is given up',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",0,1,9000],["host",0,14,0],["new-tab",0,1,0],["cut",0,1,9000],["idle",0,0,0]]}',
  },
  {
    rule: 'what a page has sent is not sent again by a copy of it that has seen the echo, which names no message',
    schedule:
      '{"seed":3,"profile":{"dedupe":false,"metadata":false,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",0,1,9000],["send",0,5,0],["duplicate",0,0,2000],["close",0,1,9000]]}',
  },
  {
    rule: 'a page waits for the lock of one that stands still for a while only',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",0,1,9000],["new-tab",0,1,9000],["lock-holder",0,85,0]]}',
  },
  {
    rule: 'the events of a batch are applied in their order',
    schedule:
      '{"seed":30,"profile":{"dedupe":false,"metadata":true,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":true,"firstIndex":1,"named":false,"heartbeatSeconds":30,"frame":"cookie"},"commands":[["send",1,610,700],["mangle",0,386,4000],["reload",3,178,0]]}',
  },
  {
    rule: 'what a page wrote stays on its screen, though another page has it too',
    schedule:
      '{"seed":588704255,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":3,"batchDelay":900,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30,"frame":"cookie"},"commands":[["mishap",0,2,0],["type",0,386,1],["say",1,259,2000],["focus",1,3,10],["close",2,1014,9000],["send",0,1014,2000],["focus",1,694,300],["say",0,3,0],["new-tab",1,154,9000],["send",2,1020,1],["cut",1,640,120],["send",2,823,10],["wild",0,488,9000],["new-tab",2,866,0],["mishap",1,4,120],["type",1,1019,1],["online",3,924,700],["send",0,531,2000],["send",2,498,10],["leave-sending",2,7,10],["leave-sending",0,753,9000]]}',
  },
  {
    rule: 'a page that stood still while it made a session joins the one that another page has made meanwhile',
    schedule:
      '{"seed":26,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30,"frame":"cookie"},"commands":[["stand-still",0,790,1],["new-tab",0,518,9000]]}',
  },
  {
    rule: 'a page goes on while the holder of a lock stands still',
    schedule:
      '{"seed":248289401,"profile":{"dedupe":false,"metadata":true,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":30,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30,"frame":"cookie"},"commands":[["leave-sending",2,20,300],["online",1,994,700],["see",1,46,40],["lock-holder",3,985,700]]}',
  },
  {
    rule: 'an answer that was read is whole, though its page sleeps for a quarter of an hour in the middle of it',
    schedule:
      '{"seed":312866251,"profile":{"dedupe":true,"metadata":true,"idleSeconds":600,"streaming":true,"wholeReplay":true,"batch":1,"batchDelay":0,"hasty":true,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["send",0,252,120],["send",0,964,40],["send",1,48,40],["host",2,29,10],["close",0,177,120],["eleven-tabs",2,438,700],["host",2,887,1],["send",2,131,4000],["cookie",0,798,9000],["say",0,284,0],["sleep",3,991,1]]}',
  },
  {
    rule: 'a page whose session is lost goes on, though the token of the one in which the others go on is not to be had',
    schedule:
      '{"seed":610119954,"profile":{"dedupe":false,"metadata":true,"streaming":false,"wholeReplay":false,"batch":1,"batchDelay":6000,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30,"frame":"text"},"commands":[["duplicate-sending",2,557,0],["storage",1,26,4000],["leave-sending",0,558,1],["send",3,855,700]]}',
  },
  {
    rule: 'what is stored in a conversation that has ended is shown in each of its pages',
    schedule:
      '{"seed":1,"profile":{"dedupe":false,"metadata":true,"idleSeconds":600,"streaming":false,"wholeReplay":false,"batch":1000,"batchDelay":0,"hasty":false,"shuffled":false,"firstIndex":1,"named":true,"heartbeatSeconds":30},"commands":[["new-tab",0,1,9000],["mishap",0,1,0],["send",1,1,300],["agent-ends",0,0,10],["host",0,12,9000],["idle",0,0,0],["idle",0,0,0]]}',
  },
  {
    rule: 'a message is sent once, by the page that wrote it or by its copy',
    schedule:
      '{"seed":821439558,"profile":{"dedupe":false,"metadata":false,"idleSeconds":600,"streaming":true,"wholeReplay":false,"batch":1000,"batchDelay":900,"hasty":true,"shuffled":false,"firstIndex":1,"named":false,"heartbeatSeconds":30},"commands":[["duplicate",1,548,300],["send",1,735,10],["duplicate",3,296,1],["send",2,788,700],["cut",2,765,40],["halve",0,1,700],["send",3,852,40],["leave-sending",3,392,0],["close",2,808,40],["see",3,552,300],["reload",2,860,9000],["end",3,297,0],["sleep",2,994,0],["host",1,955,700],["end",1,982,2000]]}',
  },
]
