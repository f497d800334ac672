-- Run once, by Patroni, when the cluster is created.
CREATE ROLE snapswipe LOGIN CREATEROLE PASSWORD '@DATABASE_PASSWORD@';
CREATE DATABASE snapswipe OWNER snapswipe;
