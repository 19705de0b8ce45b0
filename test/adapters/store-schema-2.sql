-- A store of schema 2, as the program that knew no later one left it after a crash (sqlite3 .dump).
BEGIN TRANSACTION;
CREATE TABLE attempts (
     id TEXT PRIMARY KEY, place TEXT NOT NULL, number BIGINT NOT NULL, at BIGINT NOT NULL,
     body TEXT NOT NULL, kept TEXT,
     UNIQUE (place, number)
   );
INSERT INTO "attempts" VALUES('"a"','["C1","1700000000.000100"]',1,5,'{"id":"a","target":"qwen","place":{"channel":"C1","thread":"1700000000.000100"},"at":5,"by":"ann","verdict":"broken","code":"model.degenerate-loop","engine":{"kind":"llama-cpp","version":"b1","models":["qwen"],"loaded":"/models/qwen","context":8192,"reasoningParser":"qwen3","tensorParallel":2}}','{"smoke":{"request":{"prompt":"Say hello","budget":4096,"temperature":0.6,"thinking":false,"stream":true,"model":"qwen"},"completion":{"reasoning":"","content":"\u0000 hello \ud800","toolCalls":[{"name":"f","arguments":"{"}],"finish":"stop","stop":248046,"tokens":{"prompt":1,"completion":2,"reasoning":null,"cached":0},"model":"qwen","timing":{"firstTokenMs":1.5,"firstContentMs":null,"totalMs":12,"tokensPerSecond":41.2},"pieces":3},"failure":null,"cut":{"channel":"content","unit":"ha","period":2,"copies":9,"from":0,"certain":true,"signal":"white-space"},"stoppedBy":"bob","exchange":{"url":"http://x","request":"{}","status":200,"headers":{"a":"b"},"response":"data:","end":"done"}},"diagnosis":{"verdict":"broken","code":"model.degenerate-loop","findings":[{"code":"model.degenerate-loop","verdict":"broken","cause":"It repeats \"ha\".","because":["9 copies"],"remedy":["upgrade"],"confidence":"certain","unless":"it was asked to","missing":["the log"]}]}}');
CREATE TABLE audits (number INTEGER PRIMARY KEY, body TEXT NOT NULL);
INSERT INTO "audits" VALUES(1,'{"at":5,"person":{"team":"T1","id":"U1"},"place":{"channel":"C1","thread":"1700000000.000100"},"command":"smoke","target":null,"decision":"refused","result":"not in a channel of ours"}');
CREATE TABLE buttons (id TEXT PRIMARY KEY, expires BIGINT NOT NULL, body TEXT NOT NULL);
INSERT INTO "buttons" VALUES('"b1"',9,'{"id":"b1","line":"retry max-tokens=8192","attempt":"a","place":{"channel":"C1","thread":"1700000000.000100"},"at":5,"once":false,"expires":9}');
CREATE TABLE runs (id TEXT PRIMARY KEY, at BIGINT NOT NULL, body TEXT NOT NULL);
INSERT INTO "runs" VALUES('"r1"',5,'{"id":"r1","place":{"channel":"C1","thread":"1700000000.000100"},"message":"3.3","target":"qwen","at":5}');
CREATE TABLE schema_version (version BIGINT PRIMARY KEY);
INSERT INTO "schema_version" VALUES(1);
INSERT INTO "schema_version" VALUES(2);
CREATE TABLE seen (id TEXT PRIMARY KEY, at BIGINT NOT NULL, settled BIGINT NOT NULL DEFAULT 1);
INSERT INTO "seen" VALUES('"slash:1"',5,1);
INSERT INTO "seen" VALUES('"event:C1:2.2"',6,1);
INSERT INTO "seen" VALUES('"slash:open"',7,0);
CREATE TABLE threads (place TEXT PRIMARY KEY, target TEXT NOT NULL, at BIGINT NOT NULL);
INSERT INTO "threads" VALUES('["C1","1700000000.000100"]','"qwen"',5);
CREATE INDEX attempts_at ON attempts (at);
CREATE INDEX buttons_expires ON buttons (expires);
CREATE INDEX seen_at ON seen (at);
COMMIT;
