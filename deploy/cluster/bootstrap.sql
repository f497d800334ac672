-- Run once, by Patroni, when the cluster is made.
CREATE ROLE snapswipe LOGIN CREATEROLE PASSWORD '@DATABASE_PASSWORD@';
CREATE DATABASE snapswipe OWNER snapswipe;
